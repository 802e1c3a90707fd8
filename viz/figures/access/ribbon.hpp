// Inside of the access figure: an array in one dimension as a ribbon of addresses. Each row is a line of 128
// bytes with its four sectors; between rows that are no neighbours the ribbon is broken.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "viz/figures/access/access_layout.hpp"

namespace warplens::figures {

// Which lines of an array a picture needs.
enum class RibbonPart : std::uint8_t {
  block,   // all that the block touches
  warp,    // all that the warp touches
  access,  // those of one access, the newest one that came here
  grid,    // all of the array
};
// Rows of the face, ascending. Empty where there are more accesses to look through than a picture may take.
std::vector<std::int64_t> ribbon_lines(const AccessView& view, std::size_t face, RibbonPart part);

// Whether it shows a whole grid: over the array of the access, where the rows can be told apart.
bool is_whole_grid(const AccessView& view, std::size_t face);

// Whether a class sees the way of the data through shared memory: that array stands between the others, as a
// row for each turn of the banks.
bool stages(const AccessView& view);

// The arrays that are drawn as ribbons, inputs first.
std::vector<std::size_t> ribbon_faces(const AccessView& view);

// The arrays of a problem in one dimension, as much of each as the area has room for.
void place_ribbons(const AccessView& view, const Rect& area, AccessLayout& layout);

// With the gaps between them, from the top; height: of a row; between: what is left free between neighbours.
std::vector<RibbonLine> stacked(const std::vector<std::int64_t>& lines, double height, double between = 0);
double ribbon_height(const std::vector<std::int64_t>& lines, double height, double between = 0);
// Whether the lanes are drawn above this array, with an arrow from each of them, if there is room.
bool shows_lanes(const AccessView& view, std::size_t face);
bool shows_arrows(const AccessView& view, std::size_t face);
inline constexpr std::size_t kMostArrowRows = 6;
inline constexpr double kRibbonLabels = 58;  // at the left of the rows, at least: the first element of each
inline constexpr double kRibbonType = 11;    // of these
inline constexpr double kBlockNames = 72;    // at the right of those of a whole grid: its blocks
inline constexpr double kLaneRow = 40;       // above: the lanes, and their arrows

// The columns of a line that the chosen warp touches later; also what it touched before, where that is for no
// class. They have this colour where there is no other mark.
std::set<std::int64_t> later_columns(const AccessView& view, std::size_t face, std::int64_t line);
Color later_color(const AccessView& view);

// What the lines are, for the label above; the longest form first.
std::vector<std::string> ribbon_texts(const AccessPanel& panel);

// Everything in the panel's rectangle and beside it; lanes and arrows above where the panel is the one of the
// access and there is room.
void draw_ribbon(Group& group, const AccessView& view, const AccessPanel& panel,
                 const std::vector<Color>& palette);

}  // namespace warplens::figures
