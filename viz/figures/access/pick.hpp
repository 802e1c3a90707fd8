// What is under the pointer in the matrices and tiles of the access figure, whose cells are pixels of images.
// hit_test() of viz/scene answers everywhere else; what it gives on the tiles of the bank map, pick_word() of
// viz/figures/warp/bank_map.hpp turns into the same kind of answer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "viz/figures/access/access.hpp"

namespace warplens::figures {

struct Pick {
  std::string id;     // "cell:A:12,40" (row, column)
  std::string title;  // "A[12][40], read by lane 7"
  Rect bounds;        // of the cell, in scene coordinates
};

// Arguments as of access_scene(). Nothing outside of the grids, and beyond the matrix.
std::optional<Pick> pick_access(const run::Run& run, const Place& place, const AccessOptions& options,
                                scene::Size size, const scene::TextMeasure& measure, Point point);

// A cell as ids write it; nothing for other ids.
struct CellId {
  std::string name;
  std::int64_t row = 0, column = 0;
  bool operator==(const CellId&) const = default;
};
std::optional<CellId> parse_cell(std::string_view id);
std::string cell_id(const CellId& cell);

// The access of the block that touches this cell: of the place's warp the first one from its access on, then
// the last one before it; then the first one of another warp. Returns the place moved there; empty if
// the block does not touch it.
std::optional<Place> touching(const run::Run& run, const Place& place, const CellId& cell);

// The rectangles of cells in the picture, without those that it does not show.
std::vector<Rect> places_in_access(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                   const scene::TextMeasure& measure, std::span<const CellId> cells);

// For the table of figures; shown: by draw_access().
std::optional<Pick> pick_in_access(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                   const scene::TextMeasure& measure, Point point);

}  // namespace warplens::figures
