#include "viz/figures/access/access_marks.hpp"

#include <algorithm>
#include <bit>

namespace warplens::figures {
namespace {

// How far back the search for older accesses goes, so that a step costs the same at the end of a long run.
constexpr std::uint32_t kMostStepsBack = 2048;

// visit(lane, cell) for every element that the access touches in this face.
template <class Visit>
void for_each_cell(const Face& face, const trace::Access& access, Visit visit) {
  for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t address = place_in(face, access.address[static_cast<std::size_t>(lane)]);
    const auto first = element_of(face, address);
    if (!first) continue;
    const std::uint64_t last = (address + access.width - 1 - face.address) / face.element_bytes;
    for (std::uint64_t e = *first; e <= last && e < face.elements; ++e) visit(lane, cell_of(face, e));
  }
}

std::uint8_t value_of(std::uint32_t warp, int lane, std::uint32_t chosen, AccessOptions::Colors colors) {
  if (warp != chosen) return mark::kBlock;
  if (colors == AccessOptions::Colors::lanes) return static_cast<std::uint8_t>(mark::kLane + lane);
  return lane == 0 ? mark::kThread : mark::kWarp;
}

void add_together(BufferMarks& marks, const Face& face, const AccessStory& story, std::uint32_t warp,
                  std::uint32_t step, AccessOptions::Colors colors) {
  for (const trace::Access& access : story.accesses().together(warp, step))
    for_each_cell(face, access, [&](int lane, Cell cell) {
      marks.marks.push_back({cell, value_of(access.warp, lane, warp, colors)});
      widen(marks.extent, cell);
    });
}

void add_trail(BufferMarks& marks, const Face& face, const trace::Access& access, int age, int length) {
  const int level = std::max(0, mark::kTrails - 1 - age * mark::kTrails / std::max(length, 1));
  for_each_cell(face, access, [&](int, Cell cell) {
    marks.marks.push_back({cell, static_cast<std::uint8_t>(mark::kTrail + level)});
  });
}

void add_beyond(BufferMarks& marks, const Face& face) {
  if (face.fold == 0) return;
  const auto length = static_cast<std::int64_t>(face.elements);
  for (std::int64_t e = length; e < face.rows * face.fold; ++e)
    marks.marks.push_back({cell_of(face, static_cast<std::uint64_t>(e)), mark::kBeyond});
}

// apart: yellow, which differs from the warp's blue in lightness too.
Color thread_color(bool apart) { return apart ? Color{Token::series_5} : Color{Token::first_thread}; }

}  // namespace

void widen(std::optional<std::pair<Cell, Cell>>& extent, Cell cell) {
  if (!extent) {
    extent = {cell, cell};
    return;
  }
  auto& [low, high] = *extent;
  low = {std::min(low.row, cell.row), std::min(low.column, cell.column)};
  high = {std::max(high.row, cell.row), std::max(high.column, cell.column)};
}

Key::Pattern pattern_of(std::uint8_t value) {
  if (value == mark::kThread || value == mark::kOwnedThread) return Key::Pattern::crossed;
  if (value == mark::kWarp || value == mark::kOwnedWarp) return Key::Pattern::hatched;
  return Key::Pattern::plain;
}

std::vector<Color> mark_palette(AccessOptions::Colors colors, bool strong) {
  const bool apart = colors == AccessOptions::Colors::colour_blind;
  const Color thread = thread_color(apart);
  // Beside the colours of lanes blue would be one of them.
  const Token trail = colors == AccessOptions::Colors::lanes ? Token::dim : Token::first_warp;
  std::vector<Color> palette(mark::kLane, Color::transparent());
  palette[mark::kBeyond] = Color{Token::background};
  // On the ground of a matrix each of the following has a contrast of 3, for projectors.
  for (int level = 0; level < mark::kTrails; ++level)
    palette[static_cast<std::size_t>(mark::kTrail + level)] =
        Color{trail, 0.7 + 0.1 * level / (mark::kTrails - 1)};
  palette[mark::kOwnedBlock] = Color{Token::first_block, 0.5};
  palette[mark::kOwnedWarp] = Color{Token::first_warp, strong ? 1 : 0.75};
  palette[mark::kOwnedThread] = thread;
  palette[mark::kBlock] = Color{Token::first_block, 0.9};
  palette[mark::kWarp] = Color{Token::first_warp};
  palette[mark::kThread] = thread;
  for (const theme::Rgba color : theme::ramp(theme::Colormap::viridis, 32)) palette.push_back(color);
  return palette;
}

LaneLook lane_look(AccessOptions::Colors colors, int lane) {
  if (colors == AccessOptions::Colors::lanes)
    return {theme::sample(theme::Colormap::viridis, static_cast<double>(lane) / 31)};
  const bool apart = colors == AccessOptions::Colors::colour_blind;
  if (lane == 0) return {thread_color(apart), apart ? Key::Pattern::crossed : Key::Pattern::plain};
  return {Color{Token::first_warp}, apart ? Key::Pattern::hatched : Key::Pattern::plain};
}

std::optional<AccessOptions::Colors> colors_named(std::string_view name) {
  for (const auto& [colors, known] : kColorNames)
    if (known == name) return colors;
  return std::nullopt;
}

std::vector<BufferMarks> marks_at(const AccessStory& story, std::uint32_t warp, std::uint32_t step,
                                  const AccessOptions& options) {
  const std::size_t buffers = story.faces().size();
  std::vector<BufferMarks> marks(buffers);
  std::vector<int> seen(buffers, 0);
  for (std::size_t b = 0; b < buffers; ++b) {
    marks[b].owned = story.owned(b);
    marks[b].warp = warp;
    marks[b].by_lane = options.colors == AccessOptions::Colors::lanes;
    add_beyond(marks[b], story.faces()[b]);
  }
  const auto events = story.accesses().of_warp(warp);
  if (step >= events.size()) return marks;
  const std::uint32_t oldest = step > kMostStepsBack ? step - kMostStepsBack : 0;
  for (std::uint32_t s = step + 1; s-- > oldest;) {
    const auto buffer = story.touched_face(events[s]);
    if (!buffer || seen[*buffer] > options.trail) continue;
    if (seen[*buffer] == 0)
      add_together(marks[*buffer], story.faces()[*buffer], story, warp, s, options.colors);
    else
      add_trail(marks[*buffer], story.faces()[*buffer], *story.accesses().at(warp, s), seen[*buffer],
                options.trail);
    if (s == step) marks[*buffer].now = true;
    ++seen[*buffer];
    if (std::all_of(seen.begin(), seen.end(), [&](int n) { return n > options.trail; })) break;
  }
  return marks;
}

}  // namespace warplens::figures
