// The stage of a ladder, by scripted keys and a scripted mouse.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/window/testing/stage_test.hpp"

namespace warplens::app {
namespace {

using ClassStageTest = StageTest;

TEST_F(ClassStageTest, ALadderIsShownStepByStep) {
  State start = small_problem();
  start.view.presenter = true;
  OPEN_STAGE(start);
  const auto has = [&](const char* mark) { return stage_->find(mark).has_value(); };
  const auto type = [&](const char* letters) {
    ASSERT_TRUE(stage_->type(letters));
    ASSERT_TRUE(stage_->settle());
  };
  EXPECT_TRUE(has("stage/picture"));
  EXPECT_FALSE(has("run"));
  type("h");
  EXPECT_TRUE(has("stage/cover"));
  ASSERT_TRUE(stage_->press(compat::Key::space));
  EXPECT_TRUE(has("stage/picture"));
  type("s");
  EXPECT_TRUE(has("param/BLOCK_X"));
  ASSERT_TRUE(stage_->press(compat::Key::page_down));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  ASSERT_TRUE(stage_->press(compat::Key::b));
  EXPECT_TRUE(has("stage/blank"));
  ASSERT_TRUE(stage_->press(compat::Key::escape));
  EXPECT_FALSE(has("stage"));
  EXPECT_TRUE(has("run"));
}

// Two steps side by side have no sliders on stage: they keep their room.
TEST_F(ClassStageTest, AComparisonMakesNoRoomForSliders) {
  State start = small_problem();
  start.view.page = Page::compare;
  start.view.presenter = true;
  OPEN_STAGE(start);
  const auto before = stage_->find("stage/picture");
  ASSERT_TRUE(before);
  ASSERT_TRUE(stage_->type("s"));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(stage_->find("stage/picture")->width, before->width);
}

// In no frame the words of one step stand at the picture of another, whichever of the two comes first.
TEST_F(ClassStageTest, WordsAndPictureAreOfOneRunInEveryFrame) {
  State start = small_problem();
  start.view.presenter = true;
  OPEN_STAGE(start);
  const auto has = [&](const char* mark) { return stage_->find(mark).has_value(); };
  const char *of_naive = "stage/says 32 sectors: 8 times as many as needed",
             *of_coalesced = "stage/says Coalesced";  // until it is known what the step gains
  ASSERT_TRUE(has(of_naive));
  model().choose_step(1);
  int frames_of_new = 0;
  for (int frame = 0; frame < 20'000; ++frame) {
    ASSERT_TRUE(stage_->frame());
    const bool is_old = has("stage/of matmul/01_naive");
    EXPECT_NE(is_old, has("stage/of matmul/02_coalesced")) << frame;
    EXPECT_EQ(has("stage/step 1"), is_old) << frame;
    EXPECT_EQ(has(of_naive), is_old) << frame;
    EXPECT_FALSE(is_old && has(of_coalesced)) << frame;
    if (!is_old && ++frames_of_new > 20) break;
  }
  EXPECT_GT(frames_of_new, 20);
  EXPECT_TRUE(has(of_coalesced));
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(has(of_coalesced) || has(of_naive)) << "what it gains is said at last";
}

// What comes up beneath a mouse that nobody moves is not pointed at.
TEST_F(ClassStageTest, AMouseAtRestPointsAtNoNewPicture) {
  State start = small_problem();
  start.view.presenter = true;
  OPEN_STAGE(start);
  const Rect picture = *stage_->find("stage/picture");
  const auto is_pointed = [&] { return !model().pointing.now().id.empty(); };
  scene::Point at{};
  for (double share = 0.1; share < 1 && !is_pointed(); share += 0.02) {
    at = {picture.x + share * picture.width, picture.center().y};
    ASSERT_TRUE(stage_->move_to(at));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(stage_->frame());
  }
  ASSERT_TRUE(is_pointed());
  for (const compat::Key key : {compat::Key::page_down, compat::Key::page_up}) {
    ASSERT_TRUE(stage_->press(key));
    ASSERT_TRUE(stage_->settle());
    EXPECT_FALSE(is_pointed());
  }
  ASSERT_TRUE(stage_->move_to({at.x + 1, at.y}));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(stage_->frame());
  EXPECT_TRUE(is_pointed());
}

// What is said of a step stays as it is once it is said: until the other step is predicted, that is said.
TEST_F(ClassStageTest, WhatIsSaidOfAStepStays) {
  State start = small_problem();
  start.kernel = "matmul/08_double_buffer";
  start.view.presenter = true;
  OPEN_STAGE(start);
  const auto said = [&] {
    for (const auto& [mark, place] : stage_->interface().marks())
      if (mark.starts_with("stage/says ")) return mark;
    return std::string();
  };
  model().choose_step(1);
  std::vector<std::string> list;
  for (int frame = 0; frame < 20'000 && list.size() < 9; ++frame) {
    ASSERT_TRUE(stage_->frame());
    if (stage_->find("stage/of " + model().state.kernel) && (list.empty() || list.back() != said()))
      list.push_back(said());
    if (!stage_->interface().is_busy() && !list.empty() && model().run()->complete) break;
  }
  ASSERT_TRUE(stage_->settle());
  if (list.back() != said()) list.push_back(said());
  EXPECT_EQ(list.back(), said());
  EXPECT_LE(list.size(), 2u) << fmt::format("{}", fmt::join(list, "\n"));
  EXPECT_TRUE(list.size() < 2 || list.front() == "stage/says " + model().spec().title) << list.front();
}

// In the window's panel it would be too small, and nobody in a class edits it.
TEST_F(ClassStageTest, CodeIsAPicture) {
  State start = small_problem();
  start.view.figure = "code";
  start.view.presenter = true;
  OPEN_STAGE(start);
  EXPECT_TRUE(stage_->find("figure"));
  for (const char* mark : {"counter", "listing/source"}) EXPECT_FALSE(stage_->find(mark)) << mark;
}

// A line stays where it is drawn until another step is shown.
TEST_F(ClassStageTest, APenDraws) {
  State start = small_problem();
  start.view.presenter = true;
  OPEN_STAGE(start);
  ASSERT_TRUE(stage_->type("d"));
  ASSERT_TRUE(stage_->drag("stage/picture", 0.3, 0.6));
  ASSERT_TRUE(stage_->type("d"));
  ASSERT_TRUE(stage_->settle());
  const scene::Raster drawn = stage_->picture();
  ASSERT_TRUE(stage_->type("e"));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(drawn.pixels != stage_->picture().pixels);
}

}  // namespace
}  // namespace warplens::app
