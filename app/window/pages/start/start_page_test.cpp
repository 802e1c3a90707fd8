// The ways on from the page where newcomers begin.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "app/state/topics.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/testing/stage_test.hpp"

namespace warplens::app {
namespace {

class StartPageTest : public StageTest {
 protected:
  static State at_start() {
    State state;
    state.size = {{"M", 64}, {"N", 64}, {"K", 64}};
    state.view.page = Page::start;
    return state;
  }
  LessonPlayer& lessons() { return stage_->interface().lessons(); }
};

TEST_F(StartPageTest, WalksTheFirstLadder) {
  OPEN_STAGE(at_start());
  ASSERT_TRUE(click("start/walk"));
  EXPECT_EQ(state().view.page, Page::ladder);
  EXPECT_EQ(state().kernel, State{}.kernel);
}

TEST_F(StartPageTest, OpensEachLadder) {
  OPEN_STAGE(at_start());
  const std::string ladder = stage_->model().ladders().back();
  ASSERT_NE(ladder, stage_->model().ladder());
  ASSERT_TRUE(stage_->click("start/ladder " + ladder));
  EXPECT_EQ(state().view.page, Page::ladder);
  EXPECT_EQ(stage_->model().ladder(), ladder);
}

// Each topic leads to its kernel and figure, and the keyboard is on its slider, if it has one.
TEST_F(StartPageTest, OpensEachTopicWhereItIsShown) {
  OPEN_STAGE(at_start());
  const auto topics = read_topics(source_path(), {model().catalog(), model().device_table()});
  ASSERT_TRUE(topics) << to_line(topics.error());
  ASSERT_FALSE(topics->empty());
  for (const Topic& topic : *topics) {
    SCOPED_TRACE(topic.title);
    state().view.page = Page::start;
    ASSERT_TRUE(stage_->settle());
    ASSERT_TRUE(click("start/topic " + topic.title));
    EXPECT_EQ(state().view.page, Page::ladder);
    EXPECT_EQ(state().kernel, topic.state.kernel);
    EXPECT_EQ(state().view.figure, topic.state.view.figure);
    EXPECT_FALSE(model().error());
    ASSERT_FALSE(topic.title.empty());
    if (topic.slider.empty()) continue;
    const auto sliders = model().sliders();
    const auto slider =
        std::ranges::find(sliders, topic.slider, [](const Slider& one) { return one.parameter.name; });
    ASSERT_NE(slider, sliders.end());
    const auto ring = stage_->find("focus"), track = stage_->find("param/" + topic.slider);
    ASSERT_TRUE(ring && track);
    EXPECT_EQ(*ring, *track);
    const std::int64_t before = slider->value;
    ASSERT_TRUE(
        stage_->press(before == slider->choices.front().value ? compat::Key::right : compat::Key::left));
    ASSERT_TRUE(stage_->settle());
    EXPECT_NE(state().params.at(topic.slider), before) << "arrows move it";
  }
}

// On a small window too, and with large text: none is left out, or beyond the edge.
TEST_F(StartPageTest, HasRoomForEachTopic) {
  for (const auto& [width, height, text] :
       {std::tuple(1600, 900, 1.0), std::tuple(1280, 720, 1.0), std::tuple(1280, 720, 1.5)}) {
    SCOPED_TRACE(fmt::format("{} x {}, text {}", width, height, text));
    State start = at_start();
    start.view.width = width, start.view.height = height, start.view.text_scale = text;
    stage_.reset();
    OPEN_STAGE(start);
    const auto topics = read_topics(source_path(), {model().catalog(), model().device_table()});
    ASSERT_TRUE(topics) << to_line(topics.error());
    std::set<double> rows;
    for (const Topic& topic : *topics) {
      const auto place = stage_->find("start/topic " + topic.title);
      ASSERT_TRUE(place) << topic.title;
      EXPECT_LE(place->right(), width) << topic.title;
      rows.insert(place->y);
    }
    if (text == 1) {
      EXPECT_EQ(rows.size(), 1u) << "the lessons are in sight";
    }
  }
}

TEST_F(StartPageTest, ABankConflictComesAndGoesInTwoClicks) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    State start = at_start();
    start.view.width = width, start.view.height = height;
    stage_.reset();
    OPEN_STAGE(start);
    ASSERT_TRUE(click("start/topic Bank conflicts"));
    EXPECT_EQ(state().params.at("PAD"), 0);
    const auto track = stage_->find("param/PAD");
    ASSERT_TRUE(track);
    const auto sliders = model().sliders();
    const auto pad = std::ranges::find(sliders, "PAD", [](const Slider& one) { return one.parameter.name; });
    ASSERT_TRUE(stage_->click_at(
        {track->x + track->width / static_cast<double>(pad->choices.size() - 1), track->center().y}));
    ASSERT_TRUE(stage_->settle());
    EXPECT_EQ(state().params.at("PAD"), 1);
    EXPECT_EQ(state().view.figure, "banks");
  }
}

TEST_F(StartPageTest, HasTheGlossary) {
  OPEN_STAGE(at_start());
  ASSERT_TRUE(click("start/glossary"));
  EXPECT_TRUE(stage_->find("help"));
}

// A lesson about an old chip takes its device with it when it is left.
TEST_F(StartPageTest, LeavesTheLessonAndItsDevice) {
  OPEN_STAGE(at_start());
  const std::string device = state().device, lesson = lessons().all().front().name;
  ASSERT_TRUE(stage_->click("start/lesson " + lesson));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(lessons().is_open());
  for (std::size_t stop = 1; stop < lessons().lesson().stops.size() && state().device == device; ++stop) {
    lessons().go_to(stop);
    ASSERT_TRUE(stage_->frame());
  }
  ASSERT_NE(state().device, device);
  state().view.page = Page::start;
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(lessons().is_open());
  EXPECT_EQ(state().device, device);
  EXPECT_EQ(state().view.page, Page::start);
  EXPECT_TRUE(stage_->find("start/go on"));
}

TEST_F(StartPageTest, GoesOnWithTheLessonWhereItWasLeft) {
  OPEN_STAGE(at_start());
  ASSERT_FALSE(lessons().all().empty());
  const std::string lesson = lessons().all().front().name;
  EXPECT_FALSE(stage_->find("start/go on"));  // nobody was in any
  ASSERT_TRUE(stage_->click("start/lesson " + lesson));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(lessons().is_open());
  EXPECT_EQ(lessons().lesson().name(), lesson);
  lessons().go_to(1);
  ASSERT_TRUE(stage_->frame());
  lessons().close();
  state().view.page = Page::start;
  for (int frame = 0; frame < 2; ++frame) ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->click("start/go on"));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(lessons().is_open());
  EXPECT_EQ(lessons().lesson().name(), lesson);
  EXPECT_EQ(lessons().stop(), 1u);
}

}  // namespace
}  // namespace warplens::app
