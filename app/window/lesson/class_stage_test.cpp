// The stage of a ladder, by scripted keys and a scripted mouse.
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

// In no frame the words of one step stand at the picture of another, whichever of the two comes first.
TEST_F(ClassStageTest, WordsAndPictureAreOfOneRunInEveryFrame) {
  State start = small_problem();
  start.view.presenter = true;
  OPEN_STAGE(start);
  const auto has = [&](const char* mark) { return stage_->find(mark).has_value(); };
  const char *of_naive = "stage/says 32 sectors: 8 times too much traffic",
             *of_coalesced = "stage/says 4 sectors, all 128 bytes used";
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
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has(of_coalesced));
}

// In the window's panel it would be too small, and nobody in a class edits it.
TEST_F(ClassStageTest, CodeIsAPicture) {
  State start = small_problem();
  start.view.figure = "code";
  start.view.presenter = true;
  OPEN_STAGE(start);
  EXPECT_TRUE(stage_->find("figure"));
  for (const char* mark : {"code/edit", "counter", "listing/source"})
    EXPECT_FALSE(stage_->find(mark)) << mark;
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
