// Where everything of a plot stands, for drawing, hovering, zooming: all in the coordinates of the area
// given.
#pragma once

#include <optional>
#include <vector>

#include "viz/plot/plot.hpp"
#include "viz/scene/geometry.hpp"

namespace warplens::plot {

// Data to scene pixels along one side of the frame.
struct AxisMap {
  Scale scale = Scale::linear;
  Range range;
  double from = 0, to = 1;           // where range.low and range.high stand
  double pixel(double value) const;  // NaN where a log scale has no place for it
  double value(double pixel) const;
};

struct LegendEntry {
  std::size_t series = 0;
  std::string text;
  scene::Point at;  // left end of its key, on its middle line
};

// The name of a line beside its end; a long one is written in two lines.
struct EndName {
  std::size_t series = 0;
  std::vector<std::string> lines = {};
  scene::Point end = {}, at = {};  // of the line; left end of the name, half way down its text
};

struct Layout {
  scene::Rect area, frame;
  AxisMap x, y;  // of positions and of values: x is vertical where the plot is horizontal
  bool horizontal = false;
  std::vector<Tick> x_ticks, y_ticks;
  double title_y = 0, subtitle_y = 0, axis_title_y = 0, caption_y = 0;  // tops
  std::vector<LegendEntry> legend;
  scene::Rect legend_box;  // empty where there is none
  bool legend_inside = false;
  std::vector<EndName> end_names;

  scene::Point at(double x_value, double y_value) const;
};

Layout layout_plot(const Plot& plot, const scene::Rect& area, const scene::TextMeasure& measure);

// The plot in its area. Points and bars have their own ids, or "<series id>/<index>", and a title with their
// values.
scene::Group draw_plot(const Plot& plot, const Layout& layout, const scene::TextMeasure& measure);

// The area of a plot that fills a scene.
scene::Rect plot_area(scene::Size size);
// The whole of a scene: background and plot.
scene::Scene plot_scene(const Plot& plot, scene::Size size, const scene::TextMeasure& measure);

struct Nearest {
  std::size_t series = 0, index = 0;
  scene::Point at;
};
// The data point closest to a place of the scene, within `reach` pixels; a bar is hit anywhere on it.
std::optional<Nearest> nearest(const Plot& plot, const Layout& layout, scene::Point point, double reach = 24);

// The values of one point as text, "Tile 32: 1,024, 498 GFLOP/s (recorded)".
std::string describe(const Plot& plot, std::size_t series, std::size_t index);

// The view after a turn of the wheel over `point`, or a drag by `by` pixels.
View zoomed(const Layout& layout, scene::Point point, double factor);
View panned(const Layout& layout, scene::Point by);

}  // namespace warplens::plot
