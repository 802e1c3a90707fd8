// A frame is drawn where something changed, and looks as the exports do.
#include <algorithm>
#include <cstdlib>

#include "app/window/actions/pages.hpp"
#include "app/window/actions/palette.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "viz/paint/files/cairo_painter.hpp"

namespace warplens::app {
namespace {

int far_apart(theme::Rgba a, theme::Rgba b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

class FrameTest : public StageTest {
 protected:
  // What is on screen, against the same frame drawn once more.
  void expect_newest(const char* after) {
    const scene::Raster kept = stage_->picture();
    stage_->interface().draw_all();
    ASSERT_TRUE(stage_->frame());
    EXPECT_TRUE(stage_->interface().was_drawn());
    EXPECT_EQ(kept.pixels, stage_->picture().pixels) << after;
  }
  void settle() { ASSERT_TRUE(stage_->settle()); }
};

TEST_F(FrameTest, NothingIsDrawnWhereNothingChanged) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(stage_->interface().was_drawn());
  ++state().selection.step;
  ASSERT_TRUE(stage_->frame());
  EXPECT_TRUE(stage_->interface().was_drawn());
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(stage_->interface().was_drawn());
}

TEST_F(FrameTest, EveryFigureIsNewAfterTheOneBefore) {
  OPEN_STAGE(small_problem());
  expect_newest("the start");
  for (const char* figure :
       {"coalescing", "banks", "bank-map", "occupancy", "flow", "roofline", "ladder", "access"}) {
    state().view.figure = figure;
    settle();
    expect_newest(figure);
  }
}

TEST_F(FrameTest, KernelsParametersPagesAndLooksAreNew) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(click("step/matmul/03_shared_tile"));
  expect_newest("a click on a step");
  ASSERT_TRUE(stage_->drag("param/TILE", 1, 0));
  settle();
  expect_newest("a dragged slider");
  state().view.dark = !state().view.dark;
  settle();
  expect_newest("the other theme");
  state().view.text_scale = 1.75;
  settle();
  expect_newest("large text");
  state().view.text_scale = 1;
  for (const Page page : {Page::compare, Page::playground, Page::ladder}) {
    state().view.page = page;
    settle();
    expect_newest("another page");
  }
}

TEST_F(FrameTest, WhatLiesOverTheWindowLeavesNoTrace) {
  OPEN_STAGE(small_problem());
  stage_->interface().palette().open();
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->type("tile"));
  expect_newest("the palette");
  ASSERT_TRUE(stage_->press(compat::Key::escape));
  settle();
  expect_newest("the palette that was closed");
  const auto figure = stage_->find("figure");
  ASSERT_TRUE(figure);
  for (int i = 1; i < 6; ++i) {
    ASSERT_TRUE(stage_->move_to({figure->x + figure->width * i / 6, figure->center().y}));
    ASSERT_TRUE(stage_->frame());
    expect_newest("the pointer over the figure");
  }
}

// By the renderer that this machine has, against the painter of the exports: images, text, rounded shapes and
// lines.
TEST_F(FrameTest, FiguresLookAsTheirExports) {
  OPEN_STAGE(small_problem());
  for (const char* figure : {"access", "coalescing", "occupancy"}) {
    for (const bool is_dark : {true, false}) {
      state().view.figure = figure, state().view.dark = is_dark;
      settle();
      const scene::Scene& shown = *stage_->interface().pages().get<LadderPage>().canvas().shown();
      const double scale = stage_->interface().pages().get<LadderPage>().canvas().scale();
      const auto wanted =
          paint::to_raster(shown, is_dark ? theme::dark() : theme::light(),
                           stage_->interface().pages().get<LadderPage>().canvas().fonts(), scale);
      ASSERT_TRUE(wanted);
      const auto at = stage_->find("figure");
      ASSERT_TRUE(at);
      const scene::Raster seen = stage_->picture();
      const int x0 = static_cast<int>(at->x), y0 = static_cast<int>(at->y);
      const int width = std::min(wanted->width, static_cast<int>(at->width)),
                height = std::min(wanted->height, static_cast<int>(at->height));
      std::size_t wrong = 0;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          wrong += far_apart(seen.pixels[static_cast<std::size_t>((y0 + y) * seen.width + x0 + x)],
                             wanted->pixels[static_cast<std::size_t>(y * wanted->width + x)]) > 64
                       ? 1
                       : 0;
      EXPECT_LT(static_cast<double>(wrong) / (width * height), 0.005) << figure << (is_dark ? " dark" : "");
    }
  }
}

}  // namespace
}  // namespace warplens::app
