// Inside of viz/plot: what layout, drawing and hovering share.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "viz/plot/plot_layout.hpp"

namespace warplens::plot {

inline constexpr double kTickSize = 13, kTitleSize = 17, kRow = 20, kKeyWidth = 28, kKeyGap = 8,
                        kEntryGap = 24;

inline scene::TextStyle tick_style() { return {.size = kTickSize, .color = scene::Token::dim}; }
inline scene::TextStyle title_style() {
  return {.size = kTitleSize, .weight = scene::Weight::semibold, .baseline = scene::Baseline::top};
}
inline scene::TextStyle label_style() {
  return {.size = kTickSize, .color = scene::Token::dim, .weight = scene::Weight::medium};
}
inline scene::TextStyle note_style() {
  return {.size = kTickSize, .color = scene::Token::text, .weight = scene::Weight::medium};
}

bool is_log(Scale scale);
bool has_bars(const Plot& plot);
// Whether this id is that of what stands out.
bool is_chosen(const Plot& plot, const std::string& id);
// How the name beside the end of series s, and of a category beside an upright axis, are written.
scene::TextStyle end_name_style(const Plot& plot, std::size_t s);
scene::TextStyle category_style(const Plot& plot, const Axis& axis, const Tick& tick);
inline constexpr double kEndNameStep = 15;  // from one line of such a name to the next
// What a hit test answers on the name of a category; empty: nothing.
std::string category_id(const Axis& axis, const Tick& tick);

// What the label of a bar takes of its height, from the top of its digits to the end of a comma.
inline constexpr double kLabelHeight = 13;

// The rectangle of bar i of series s; empty where it has no value.
scene::Rect bar_rect(const Plot& plot, const Layout& layout, std::size_t s, std::size_t i);

// The same of a mark: a stroke across its row, a little higher than its bars.
inline constexpr double kMarkWidth = 3;
scene::Rect mark_rect(const Plot& plot, const Layout& layout, std::size_t s, std::size_t i);

// The points of a line or a step line, in runs without gaps; thinned to what the frame can show.
std::vector<std::vector<scene::Point>> runs(const Layout& layout, const Series& series);

// Whether point i of series s is the chosen one, which has a ring; and the box around its marker at `at`.
inline constexpr double kRingRadius = 8;
bool is_ringed(const Plot& plot, std::size_t s, std::size_t i);
scene::Rect marker_box(const Plot& plot, std::size_t s, std::size_t i, scene::Point at);

// Value i, NaN where there is none.
double value_at(const std::vector<double>& values, std::size_t i);

// Places for names at these heights, as near to them as their distances allow (least squares), all between
// top and bottom; in the order of the heights given, which must ascend. distances: of each from the one
// before it, that of the first is not read.
std::vector<double> spread(std::vector<double> wanted, const std::vector<double>& distances, double top,
                           double bottom);

// If there is little height the frame gets it, and the words above and below take fewer lines.
bool is_low(const scene::Rect& area);
// Whether the subtitle follows the title on the same line.
inline constexpr double kSubtitleGap = 14;
bool is_in_title_line(const Plot& plot, const scene::Rect& area, const scene::TextMeasure& measure);

// Whether a pixel on the axis across, or else on the upright one, lies in the frame.
bool is_shown(const Layout& layout, double pixel, bool across);

// All texts that belong to points, bars and annotations, and the lines of the latter. band: behind the chosen
// row; empty where there is none.
void add_labels(scene::Group& root, const Plot& plot, const Layout& layout, const scene::TextMeasure& measure,
                const scene::Rect& band);

// What labels must not cover.
struct Obstacles {
  std::vector<std::pair<scene::Point, scene::Point>> segments;
  std::vector<std::pair<scene::Point, scene::Point>> leaders;  // from notes to their points
  std::vector<scene::Rect> boxes;
  std::vector<scene::Rect> texts;
  // Nothing covered is 0; another text is worst, then what leads to one; a line is least.
  double cost(const scene::Rect& box) const;
};
Obstacles obstacles_of(const Plot& plot, const Layout& layout);
// Whether a text in this box would lie on another one, or leave the plot's area.
bool covers_text(const scene::Rect& box, const Layout& layout, const Obstacles& obstacles);

// Corners of a box of this size around a rectangle, at a distance: beside, above, below, then aslant.
std::array<scene::Point, 8> around(const scene::Rect& rect, double distance, scene::Size size);

// Corners for a note of this size at a point, the nearer the earlier: around it, and afar: anywhere in the
// frame, for where points crowd.
std::vector<scene::Point> note_places(scene::Point p, scene::Size size, const scene::Rect& frame, bool afar);
// A thin line leads from a note to its point where it stands far from it: its end, and what it costs: its
// length, and where it runs through texts and markers or on a line.
scene::Point nearest_in(const scene::Rect& box, scene::Point p);
bool needs_leader(scene::Point end, scene::Point p);
// Whether two such lines cross.
bool cross(scene::Point a, scene::Point b, scene::Point c, scene::Point d);
double leader_cost(const scene::Rect& box, scene::Point p, const Obstacles& obstacles);

// Numbers beside the markers of points. Each stands at its own where all have room; where points crowd, one
// label names several: "8, 9". Labels cover no text and no marker.
struct NumberedPoint {
  std::string number;
  scene::Rect marker;
};
struct NumberLabel {
  std::string text;
  scene::Rect at;
};
std::vector<NumberLabel> number_labels(const std::vector<NumberedPoint>& points, const Layout& layout,
                                       const Obstacles& obstacles, const scene::TextMeasure& measure);

}  // namespace warplens::plot
