#include "viz/figures/access/pick.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "viz/figures/access/access_layout.hpp"
#include "viz/figures/access/block_order.hpp"

namespace warplens::figures {
namespace {

// Steps of a warp that are looked through; a click must not wait.
constexpr std::uint32_t kMostSteps = 50'000;

// Lanes of the access that touch the element, as a mask.
std::uint32_t lanes_at(const Face& face, const trace::Access& access, std::uint64_t element) {
  if (face.is_shared != (access.space == ptx::Space::shared) || access.space == ptx::Space::local) return 0;
  const std::uint64_t first = face.address + element * face.element_bytes, last = first + face.element_bytes;
  std::uint32_t lanes = 0;
  for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t address = report::place_in(face, access.address[lane]);
    if (address < last && address + access.width > first) lanes |= 1u << lane;
  }
  return lanes;
}

std::string lanes_text(std::uint32_t lanes) {
  const int count = std::popcount(lanes);
  if (count == 1) return fmt::format("lane {}", std::countr_zero(lanes));
  return fmt::format("{} lanes, the first is {}", count, std::countr_zero(lanes));
}

// Of each AccessKind.
constexpr std::array kVerbs = {"read", "written", "updated", "copied"};

std::string title_of(const AccessView& view, std::size_t f, Cell cell, std::uint64_t element) {
  const Face& face = view.story.faces()[f];
  std::string title = face.fold != 0 && !face.is_shared
                          ? fmt::format("{}[{}]", face.name, element)
                          : fmt::format("{}[{}][{}]", face.name, cell.row, cell.column);
  if (face.is_shared)
    title += fmt::format(", bank {}", (face.address / 4 + element) %
                                          static_cast<std::uint64_t>(view.run.device().shared_banks));
  if (view.access)
    if (const std::uint32_t lanes = lanes_at(face, *view.access, element); lanes != 0)
      return title + fmt::format(", {} by {}", kVerbs[static_cast<std::size_t>(view.access->kind)],
                                 lanes_text(lanes));
  for (const auto& [owned, thread, place] : view.story.owned(f))
    if (owned == element)
      return title + fmt::format(", written by lane {} of warp {}", thread % 32, thread / 32);
  return title;
}

bool shows(const AccessPanel& panel, const CellId& cell) {
  const auto& ribbon = panel.ribbon;
  const bool has_row = ribbon.empty()
                           ? panel.rows.contains(cell.row)
                           : std::any_of(ribbon.begin(), ribbon.end(),
                                         [&](const RibbonLine& line) { return line.line == cell.row; });
  return has_row && panel.columns.contains(cell.column);
}

}  // namespace

std::optional<Pick> pick_access(const run::Run& run, const Place& place, const AccessOptions& options,
                                scene::Size size, const scene::TextMeasure& measure, Point point) {
  const AccessStory& story = story_at(run, place);
  if (story.accesses().warps() == 0) return std::nullopt;
  const AccessView view = view_of(run, place, options, measure);
  for (const AccessPanel& panel : layout_of(view, size).panels) {
    const auto under = panel.cell_at(point);
    if (!under) continue;
    const Cell cell = *under;
    const Face& face = story.faces()[panel.face];
    const auto element = element_at(face, cell);
    if (!element) return std::nullopt;
    return Pick{cell_id({face.name, cell.row, cell.column}), title_of(view, panel.face, cell, *element),
                panel.rect_of(cell)};
  }
  return std::nullopt;
}

std::string cell_id(const CellId& cell) {
  return fmt::format("cell:{}:{},{}", cell.name, cell.row, cell.column);
}

std::optional<CellId> parse_cell(std::string_view id) {
  constexpr std::string_view prefix = "cell:";
  const std::size_t colon = id.rfind(':'), comma = id.rfind(',');
  if (!id.starts_with(prefix) || colon <= prefix.size() || comma == std::string_view::npos || comma < colon)
    return std::nullopt;
  CellId cell{std::string(id.substr(prefix.size(), colon - prefix.size()))};
  const auto number = [](std::string_view text, std::int64_t& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
  };
  if (!number(id.substr(colon + 1, comma - colon - 1), cell.row) ||
      !number(id.substr(comma + 1), cell.column))
    return std::nullopt;
  return cell;
}

std::optional<Place> touching(const run::Run& run, const Place& place, const CellId& cell) {
  const AccessStory& story = story_at(run, place);
  const auto face = std::find_if(story.faces().begin(), story.faces().end(),
                                 [&](const Face& f) { return f.name == cell.name; });
  if (face == story.faces().end()) return std::nullopt;
  const auto element = element_at(*face, {cell.row, cell.column});
  if (!element) return std::nullopt;
  const auto& accesses = story.accesses();
  const auto at = [&](std::uint32_t warp, std::uint32_t step) -> std::optional<Place> {
    const std::uint32_t lanes = lanes_at(*face, *accesses.at(warp, step), *element);
    if (lanes == 0) return std::nullopt;
    Place found = place;
    found.warp = warp, found.access = step;
    if ((lanes >> found.lane & 1) == 0) found.lane = std::countr_zero(lanes);
    return found;
  };
  const auto steps_of = [&](std::uint32_t warp) {
    return static_cast<std::uint32_t>(std::min<std::size_t>(accesses.of_warp(warp).size(), kMostSteps));
  };
  for (std::uint32_t s = place.access; s < steps_of(place.warp); ++s)
    if (auto found = at(place.warp, s)) return found;
  for (std::uint32_t s = std::min(place.access, steps_of(place.warp)); s-- > 0;)
    if (auto found = at(place.warp, s)) return found;
  for (std::uint32_t warp = 0; warp < accesses.warps(); ++warp)
    for (std::uint32_t s = 0; warp != place.warp && s < steps_of(warp); ++s)
      if (auto found = at(warp, s)) return found;
  return std::nullopt;
}

std::vector<Rect> places_in_access(const Subject& subject, const scene::Scene&, scene::Size size,
                                   const scene::TextMeasure& measure, std::span<const CellId> cells) {
  const AccessStory& story = story_at(*subject.run, subject.place);
  if (story.accesses().warps() == 0 || shows_order(subject)) return {};
  AccessOptions options = subject.access;
  options.look = subject.look;
  const AccessView view = view_of(*subject.run, subject.place, options, measure);
  std::vector<Rect> found;
  for (const AccessPanel& panel : layout_of(view, size).panels)
    for (const CellId& cell : cells)
      if (cell.name == story.faces()[panel.face].name && shows(panel, cell))
        found.push_back(panel.rect_of({cell.row, cell.column}));
  return found;
}

std::optional<Pick> pick_in_access(const Subject& subject, const scene::Scene&, scene::Size size,
                                   const scene::TextMeasure& measure, Point point) {
  if (subject.place.line > 0 || shows_order(subject)) return std::nullopt;
  AccessOptions options = subject.access;
  options.look = subject.look;
  return pick_access(*subject.run, subject.place, options, size, measure, point);
}

}  // namespace warplens::figures
