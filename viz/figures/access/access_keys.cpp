// The legend of the access figure.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "viz/figures/access/access_layout.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/access/ribbon.hpp"
#include "viz/figures/access/tiled_product.hpp"
#include "viz/figures/access/tree.hpp"

namespace warplens::figures {
namespace {

using Colors = AccessOptions::Colors;

// Which marks a picture has. Lanes and warps have their colours outside of the arrays too.
struct SeenMarks {
  std::array<bool, mark::kLane> marks{};
  bool later = false;  // in a ribbon
  bool sectors = false, waste = false;
  Color of_sectors = Token::good;

  bool has(std::uint8_t one) const { return marks[one]; }
  bool has_trail() const {
    return std::any_of(marks.begin() + mark::kTrail, marks.begin() + mark::kTrail + mark::kTrails,
                       [](bool seen) { return seen; });
  }
  // is_now: of the array of the access; what the warp writes of others looks like what it accesses.
  void add(std::uint8_t value, bool is_now) {
    if (value == mark::kOwnedWarp && !is_now) value = mark::kWarp;
    if (value < marks.size()) marks[value] = true;
  }
};

void add_ribbon_marks(SeenMarks& seen, const AccessView& view, const AccessPanel& panel) {
  for (const RibbonLine& row : panel.ribbon) {
    const Span rows{row.line, 1};
    CellGrid grid(rows, panel.columns, {});
    view.marks[panel.face].for_each([&](const Mark& one) {
      if (one.value != mark::kBeyond) grid.mark(one.cell, one.value);
    });
    const auto later = later_columns(view, panel.face, row.line);
    for (int column = 0; column < grid.width(); ++column) {
      seen.add(grid.at(0, column), view.marks[panel.face].now);
      seen.later |= grid.at(0, column) == mark::kNothing && later.contains(panel.columns.first + column);
    }
  }
  if (!view.marks[panel.face].now || !view.access || view.access->space != ptx::Space::global) return;
  const auto pieces = report::access_pieces(*view.access, view.run.kernel->function().code[view.access->pc],
                                            view.run.device());
  seen.sectors = true, seen.waste = pieces.units > pieces.ideal;
  seen.of_sectors = cost_color(pieces.units, pieces.ideal);
}

void add_grid_marks(SeenMarks& seen, const AccessView& view, const AccessPanel& panel) {
  CellGrid grid(panel.rows, panel.columns, panel.bin);
  view.marks[panel.face].for_each([&](const Mark& one) { grid.mark(one.cell, one.value); });
  for (int row = 0; row < grid.height(); ++row)
    for (int column = 0; column < grid.width(); ++column)
      seen.add(grid.at(row, column), view.marks[panel.face].now);
}

SeenMarks seen_in(const AccessView& view, const AccessLayout& layout) {
  SeenMarks seen;
  for (const AccessPanel& panel : layout.panels)
    panel.ribbon.empty() ? add_grid_marks(seen, view, panel) : add_ribbon_marks(seen, view, panel);
  return seen;
}

// Before it is known where anything stands: what the arrays have anywhere.
SeenMarks seen_anywhere(const AccessView& view) {
  SeenMarks seen;
  const auto& faces = view.story.faces();
  for (std::size_t f = 0; f < faces.size(); ++f) {
    view.marks[f].for_each([&](const Mark& one) { seen.add(one.value, view.marks[f].now); });
    seen.sectors |= view.marks[f].now && faces[f].fold != 0 && !faces[f].is_shared && !is_tiled(view);
  }
  seen.later = seen.waste = seen.sectors;
  return seen;
}

std::vector<Key> class_keys(const AccessView& view, const SeenMarks& seen, bool shows_tree) {
  const auto palette = mark_palette(view.options.colors);
  const bool apart = view.options.colors == Colors::colour_blind;
  const auto key = [&](std::uint8_t one, std::uint8_t other, std::string text, Key::Pattern pattern) {
    Key made{palette[seen.has(one) || !seen.has(other) ? one : other], std::move(text),
             apart ? pattern : Key::Pattern::plain};
    if (seen.has(one) && seen.has(other) && !(palette[one] == palette[other])) made.also = palette[other];
    return made;
  };
  std::vector<Key> keys{
      key(mark::kThread, mark::kOwnedThread, fmt::format("lane {}", view.place.lane), Key::Pattern::crossed),
      key(mark::kWarp, mark::kOwnedWarp, fmt::format("warp {}", view.place.warp), Key::Pattern::hatched)};
  if (shows_tree && seen.marks == decltype(seen.marks){}) return keys;  // it has keys of its own
  if (seen.has_trail()) keys.push_back({palette[mark::kTrail + mark::kTrails - 1], "earlier"});
  if (seen.later) keys.push_back({later_color(view), "later"});
  if (seen.has(mark::kBlock) || seen.has(mark::kOwnedBlock))
    keys.push_back(key(mark::kBlock, mark::kOwnedBlock, "block", Key::Pattern::plain));
  if (seen.sectors) keys.push_back({seen.of_sectors, "sector", Key::Pattern::hollow});
  if (seen.waste) keys.push_back({Token::costly, "wasted", Key::Pattern::hatched});
  return keys;
}

// What the block asks for at the time, and beside it what it writes.
std::vector<Key> window_keys(const AccessView& view, const SeenMarks& seen) {
  const auto palette = mark_palette(view.options.colors);
  // A thread's own tile, or a tree, has no patterns in it.
  const bool apart =
      view.options.colors == Colors::colour_blind && !is_tiled(view) && tree_of(view) == nullptr;
  Key block{palette[mark::kBlock], "block"};
  if (seen.has(mark::kOwnedBlock)) block.also = palette[mark::kOwnedBlock];
  return {{palette[mark::kThread], fmt::format("lane {}", view.place.lane),
           apart ? Key::Pattern::crossed : Key::Pattern::plain},
          {palette[mark::kWarp], fmt::format("warp {}", view.place.warp),
           apart ? Key::Pattern::hatched : Key::Pattern::plain},
          std::move(block)};
}

}  // namespace

std::vector<Color> panel_palette(const AccessView& view, std::size_t face) {
  return mark_palette(view.options.colors, is_sparse(view.options.look) && !view.marks[face].now);
}

std::vector<Key> keys_of(const AccessView& view, const AccessLayout* layout) {
  const auto palette = mark_palette(view.options.colors);
  if (view.options.colors == Colors::lanes)
    return {{palette[mark::kLane], "lane 0"},
            {palette[mark::kLane + 31], "lane 31"},
            {palette[mark::kBlock], "rest of the block"},
            {palette[mark::kTrail + mark::kTrails - 1], "earlier accesses"}};
  const SeenMarks seen = layout == nullptr ? seen_anywhere(view) : seen_in(view, *layout);
  if (!is_sparse(view.options.look)) return window_keys(view, seen);
  return class_keys(view, seen, layout != nullptr && layout->tree.has_value());
}

}  // namespace warplens::figures
