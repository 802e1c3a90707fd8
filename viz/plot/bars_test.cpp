// Where bars stand in the rows of their positions.
#include <gtest/gtest.h>

#include <cmath>

#include "viz/plot/plot_layout.hpp"
#include "viz/plot/plot_parts.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::plot {
namespace {

using scene::Point;

const scene::FixedMeasure kBarsMeasure;

// A bar that has no neighbour in its row stands on the row's middle, as the name does, and is as thick as
// others.
TEST(Plot, BarsThatShareNoRowStandBesideTheirNames) {
  for (const bool horizontal : {true, false}) {
    Plot plot;
    plot.horizontal = horizontal;
    plot.x = {.scale = Scale::category, .categories = {"to device", "to host", "memory"}};
    plot.series = {{.id = "bus", .kind = Series::Kind::bars, .x = {0, 1}, .y = {55, 54}},
                   {.id = "memory", .kind = Series::Kind::bars, .x = {2}, .y = {4800}}};
    const auto middle = [&](std::size_t s, std::size_t i) {
      const Layout layout = layout_plot(plot, {0, 0, 900, 600}, kBarsMeasure);
      const Point center = bar_rect(plot, layout, s, i).center();
      return (horizontal ? center.y : center.x) - layout.x.pixel(plot.series[s].x[i]);
    };
    EXPECT_NEAR(middle(0, 0), 0, 0.01);
    EXPECT_NEAR(middle(0, 1), 0, 0.01);
    EXPECT_NEAR(middle(1, 0), 0, 0.01);
    plot.series[1].x.push_back(1), plot.series[1].y.push_back(3000);  // now one row has both
    EXPECT_NEAR(middle(0, 0), 0, 0.01);
    EXPECT_NEAR(middle(0, 1), -middle(1, 1), 0.01);
    EXPECT_GT(std::abs(middle(0, 1)), 5);
    EXPECT_NEAR(middle(1, 0), 0, 0.01);
  }
}

}  // namespace
}  // namespace warplens::plot
