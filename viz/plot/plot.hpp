// A plot as a value: what is shown, not how. layout_plot gives its places, draw_plot a group of a scene; the
// view (the part of the axes that is shown) is part of the value, so a zoomed plot exports as it is seen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viz/plot/ticks.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::plot {

// Where a number comes from. Each looks different: see look_of.
enum class Provenance { recorded, modelled, emulated, live };

struct Axis {
  std::string label = {};  // what is shown, "FLOP/s", "Threads per block"
  std::string unit = {};   // follows values in tooltips, "FLOP/s" (with its SI prefix)
  Scale scale = Scale::linear;
  Notation notation = Notation::plain;
  // Values are written divided by this: 1000 where they are GFLOP/s and the label says TFLOP/s.
  double divisor = 1;
  std::optional<double> low = {}, high = {};   // default: from the data
  std::vector<std::string> categories = {};    // Scale::category: the names of positions 0, 1, ...
  std::vector<std::string> category_ids = {};  // what a hit test answers on those names; empty: nothing
  bool grid = true;
  bool binary = false;  // linear ticks at multiples of a power of two
  bool whole = false;   // what is counted: no ticks between whole numbers
};

struct Series {
  // band, errors and links use low and high; errors are drawn as whiskers around y (or alone where y is
  // empty), links as thin lines.
  // Bars with `low` alone begin there and not at 0, each as wide as its row.
  // marks are thin strokes across the row of a category at y: where something ends, not how much there is.
  enum class Kind { line, step, bars, points, band, errors, links, marks };
  std::string id = {};    // what a hit test answers on its line
  std::string name = {};  // in the legend; empty: not there
  Kind kind = Kind::line;
  Provenance provenance = Provenance::recorded;
  std::optional<scene::Color> color = {};  // default: the theme's next series colour
  std::vector<double> x = {}, y = {};      // NaN leaves a gap
  std::vector<double> low = {}, high = {};
  std::vector<std::string> labels = {};  // beside each point or bar; empty: none
  std::vector<std::string> tips = {};    // where each value comes from, said after it where it is pointed at
  std::vector<std::string> ids = {};  // what a hit test answers on each point or bar; empty: "<id>/<index>"
  bool markers = true;                // on lines
  std::optional<int> shape = {};      // of solid markers, one of four; default: by how often colours repeat
};

struct Annotation {
  enum class Kind { horizontal, vertical, note };  // a line at y, a line at x, a text beside (x, y)
  Kind kind = Kind::note;
  double x = 0, y = 0;
  std::string text = {};
  scene::Color color = scene::Token::dim;
};

struct View {
  std::optional<Range> x = {}, y = {};  // empty: all of the data
  bool operator==(const View&) const = default;
};

struct Plot {
  std::string title = {}, subtitle = {}, caption = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<Annotation> annotations = {};
  // Positions (x) run down the left side and values (y) to the right: for bars with long names.
  bool horizontal = false;
  // Lines are named beside their ends, as far as the names leave the frame its room; else in a legend.
  bool names_at_ends = false;
  scene::Token ground = scene::Token::background;  // what it is drawn on
  // The id of a category, a point or a line that stands out; empty: none does.
  std::string chosen = {};
  View view = {};
};

// How a provenance looks, and its word in legends and tooltips.
struct Look {
  std::string_view word;
  double line_width;
  std::vector<double> dash;
  enum class Marker { disc, ring, square_ring, diamond } marker;
  double bar_opacity;
  bool bar_outlined, bar_hatched;
};
Look look_of(Provenance provenance);

// The colour of series i: its own or the theme's.
scene::Color color_of(const Plot& plot, std::size_t i);

// Rows "series,provenance,x,y,low,high,label" with a header; RFC 4180; categories by name; numbers in full.
std::string to_csv(const Plot& plot);

// The view after zooming by `factor` (above 1: closer) around data value `around`, or moving by a share of
// the visible range.
Range zoomed(Range range, Scale scale, double factor, double around);
Range panned(Range range, Scale scale, double share);

}  // namespace warplens::plot
