// The ways on from the page where newcomers begin.
#include <gtest/gtest.h>

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
