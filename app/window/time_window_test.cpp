// The figure of time and the maps of the model in the window, driven by a pointer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/state/figure_inputs.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/pages/compare/compare_page.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"

namespace warplens::app {
namespace {

class TimeWindow : public StageTest {
 protected:
  void open_time() {
    State state = small_problem();
    state.kernel = "matmul/03_shared_tile";
    state.view.figure = "time";
    StageTest::open(state);
  }
  const FigureCanvas& canvas() { return stage_->interface().pages().get<LadderPage>().canvas(); }
  figures::Cycles shown() {
    return figures::shown_cycles(*canvas().schedule(), time_options(state().drawing));
  }
  // The cycle under a place of the screen; nothing outside of the chart.
  std::optional<double> cycle_at(scene::Point at) {
    const auto figure = stage_->find("figure");
    if (!figure || canvas().schedule() == nullptr) return std::nullopt;
    const auto cursor =
        canvas().time_cursor({(at.x - figure->x) / canvas().scale(), (at.y - figure->y) / canvas().scale()});
    return cursor ? std::optional(cursor->cycle) : std::nullopt;
  }
  // In the chart, at this share of its width and in the middle of a warp's row.
  scene::Point in_chart(double share) {
    const auto figure = stage_->find("figure");
    EXPECT_TRUE(figure);
    if (!figure) return {};
    for (double y = figure->y; y < figure->bottom(); y += 4)
      for (double x = figure->x; x < figure->right(); x += 8) {
        const auto cursor =
            canvas().time_cursor({(x - figure->x) / canvas().scale(), (y - figure->y) / canvas().scale()});
        if (cursor)
          return {figure->x + (cursor->chart.x + share * cursor->chart.width) * canvas().scale(),
                  figure->y + cursor->row.center().y * canvas().scale()};
      }
    ADD_FAILURE() << "no chart";
    return {};
  }
};

TEST_F(TimeWindow, TheWheelZoomsAroundTheCycleUnderThePointer) {
  open_time();
  if (IsSkipped() || HasFatalFailure()) return;
  const scene::Point at = in_chart(0.3);
  const double all = shown().number();
  const auto before = cycle_at(at);
  ASSERT_TRUE(before);
  ASSERT_TRUE(stage_->wheel_at(at, 4));
  ASSERT_TRUE(stage_->settle());
  EXPECT_LT(shown().number(), 0.8 * all);
  EXPECT_FALSE(state().drawing.cycles.empty());
  const auto after = cycle_at(at);
  ASSERT_TRUE(after);
  EXPECT_NEAR(*after, *before, 0.02 * shown().number());
  ASSERT_TRUE(stage_->wheel_at(at, -4));
  ASSERT_TRUE(stage_->settle());
  EXPECT_NEAR(shown().number(), all, 2);
}

TEST_F(TimeWindow, ADragTakesTheCyclesAlongAndADoubleClickShowsAll) {
  open_time();
  if (IsSkipped() || HasFatalFailure()) return;
  const figures::Cycles all = shown();
  ASSERT_TRUE(stage_->wheel_at(in_chart(0.5), 6));
  ASSERT_TRUE(stage_->settle());
  const figures::Cycles near = shown();
  ASSERT_TRUE(stage_->drag("figure", 0.6, 0.4));
  ASSERT_TRUE(stage_->settle());
  EXPECT_GT(shown().from, near.from);  // to the left: later ones
  EXPECT_NEAR(shown().number(), near.number(), 1);
  ASSERT_TRUE(stage_->drag("figure", 0.4, 0.6));
  ASSERT_TRUE(stage_->settle());
  EXPECT_NEAR(shown().from, near.from, 0.02 * near.number() + 1);
  const scene::Point at = in_chart(0.5);
  ASSERT_TRUE(stage_->click_at(at));
  ASSERT_TRUE(stage_->click_at(at));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(state().drawing.cycles.empty());
  EXPECT_EQ(shown().number(), all.number());
}

TEST_F(TimeWindow, ALineFollowsThePointer) {
  open_time();
  if (IsSkipped() || HasFatalFailure()) return;
  EXPECT_FALSE(stage_->find("time/cursor"));
  for (const double share : {0.25, 0.75}) {
    const scene::Point at = in_chart(share);
    ASSERT_TRUE(stage_->move_to(at));
    ASSERT_TRUE(stage_->move_to(at));
    const auto line = stage_->find("time/cursor");
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->x, at.x, 2);
  }
  const auto figure = stage_->find("figure");
  ASSERT_TRUE(figure);
  ASSERT_TRUE(stage_->move_to({figure->x - 30, figure->y}));
  ASSERT_TRUE(stage_->move_to({figure->x - 30, figure->y}));
  EXPECT_FALSE(stage_->find("time/cursor"));
}

class MapsInComparison : public StageTest {};

TEST_F(MapsInComparison, HaveWhatWasMeasuredOfEachSide) {
  State start;
  start.view.width = 1600, start.view.height = 900;
  start.view.page = Page::compare;
  start.kernel = "reduction/02_strided";
  start.size = {{"N", 1 << 20}};
  start.compare.figure = "speed-map";
  start.compare.left = {"reduction/01_interleaved", {}};
  start.compare.right = {"reduction/02_strided", {}};
  OPEN_STAGE(start);
  Comparison& comparison = stage_->interface().pages().get<ComparePage>().comparison();
  const auto measured = [&](Side side) {
    return comparison.subject(side, stage_->interface().performance(), figures::Look::file, false).measured;
  };
  const auto left = measured(Side::left), right = measured(Side::right);
  ASSERT_TRUE(left && right);
  ASSERT_FALSE(left->empty());
  ASSERT_FALSE(right->empty());
  EXPECT_NE(left->front().seconds, right->front().seconds);
}

}  // namespace
}  // namespace warplens::app
