#include "viz/figures/warp/lane_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "viz/figures/access/access_marks.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

constexpr std::uint64_t kLineBytes = 128, kSectorBytes = 32;
constexpr std::size_t kMostLines = 8;
constexpr double kLaneHeight = 14, kPlaceHeight = 16, kTextHeight = 22;

bool is_active(const WarpAccessView& view, int lane) { return (view.access.active >> lane & 1) != 0; }
std::uint64_t address_of(const WarpAccessView& view, int lane) {
  return view.access.address[static_cast<std::size_t>(lane)];
}

// One box below that lanes go to.
struct LinePlace {
  Rect box;
  bool used = false, moved = false;  // asked for; moved without being asked for
  std::string id = {}, title = {};
};

struct Target {
  int lane = 0;
  std::size_t place = 0;
};

struct Places {
  std::vector<LinePlace> boxes;
  std::vector<Target> targets;  // of the lanes whose place is shown
  std::vector<std::pair<double, std::string>> labels;
};

std::vector<std::uint64_t> lines_of(const WarpAccessView& view) {
  std::set<std::uint64_t> lines;
  for (int lane = 0; lane < 32; ++lane)
    if (is_active(view, lane)) lines.insert(address_of(view, lane) / kLineBytes);
  return {lines.begin(), lines.end()};
}

Places sector_places(const WarpAccessView& view, const Rect& row) {
  Places places;
  std::vector<std::uint64_t> lines = lines_of(view);
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  constexpr std::size_t sectors = kLineBytes / kSectorBytes;
  const double count = static_cast<double>(lines.size()), gap = 6;
  const double width = (row.width - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double x = row.x + static_cast<double>(i) * (width + gap);
    for (std::size_t s = 0; s < sectors; ++s)
      places.boxes.push_back(
          {.box = {x + width * static_cast<double>(s) / sectors, row.y, width / sectors - 1, row.height},
           .id = fmt::format("sector:{}", lines[i] * sectors + s),
           .title = fmt::format("Sector {} of the line at byte +{}", s,
                                grouped((lines[i] - lines[0]) * kLineBytes))});
    const std::uint64_t away = (lines[i] - lines[0]) * kLineBytes;
    places.labels.push_back(
        {x + width / 2, away == 0 ? "line" : "+" + plot::plain(static_cast<double>(away), 15)});
  }
  const auto moved = analysis::moved_sectors(view.pieces.global);
  for (std::size_t i = 0; i < places.boxes.size(); ++i)
    places.boxes[i].moved = moved.contains(lines[i / sectors] * sectors + i % sectors);
  for (int lane = 0; lane < 32; ++lane) {
    if (!is_active(view, lane)) continue;
    const auto found = std::find(lines.begin(), lines.end(), address_of(view, lane) / kLineBytes);
    if (found == lines.end()) continue;
    const std::size_t place = static_cast<std::size_t>(found - lines.begin()) * sectors +
                              address_of(view, lane) % kLineBytes / kSectorBytes;
    places.boxes[place].used = true;
    places.targets.push_back({lane, place});
  }
  return places;
}

Places bank_places(const WarpAccessView& view, const Rect& row) {
  Places places;
  const auto banks = static_cast<std::size_t>(view.device.shared_banks);
  const double width = row.width / static_cast<double>(banks);
  for (std::size_t b = 0; b < banks; ++b)
    places.boxes.push_back({.box = {row.x + width * static_cast<double>(b), row.y, width - 1, row.height},
                            .id = fmt::format("bank:{}", b),
                            .title = fmt::format("Bank {}", b)});
  for (int lane = 0; lane < 32; ++lane) {
    if (!is_active(view, lane)) continue;
    const std::uint64_t word = address_of(view, lane) / 4;
    // the line leads to the first
    const std::uint64_t words = std::max<std::uint64_t>(view.access.width / 4, 1);
    for (std::uint64_t w = 0; w < words; ++w) places.boxes[(word + w) % banks].used = true;
    places.targets.push_back({lane, static_cast<std::size_t>(word % banks)});
  }
  for (const std::size_t b : {std::size_t{0}, banks / 2, banks - 1})
    places.labels.push_back({places.boxes[b].box.center().x, std::to_string(b)});
  return places;
}

Rect lane_box(double width, int lane) { return {width * lane / 32, 0, width / 32 - 2, kLaneHeight}; }

std::string title_of_lane(const WarpAccessView& view, int lane, std::uint64_t start) {
  if ((view.pieces.elsewhere >> lane & 1) != 0)
    return fmt::format("Lane {}: shared memory of another block of the cluster", lane);
  if (!is_active(view, lane)) return fmt::format("Lane {} is inactive", lane);
  return fmt::format("Lane {}: byte {}{}", lane, view.pieces.is_shared ? "" : "+",
                     grouped(address_of(view, lane) - start));
}

void draw_lanes(Group& group, const WarpAccessView& view, double width, AccessOptions::Colors colors) {
  // Of global memory from the first line's start, as the labels below count.
  const std::vector<std::uint64_t> lines = lines_of(view);
  const std::uint64_t start = view.pieces.is_shared || lines.empty() ? 0 : lines.front() * kLineBytes;
  for (int lane = 0; lane < 32; ++lane) {
    const bool active = is_active(view, lane) || (view.pieces.elsewhere >> lane & 1) != 0;
    const LaneLook look = active ? lane_look(colors, lane) : LaneLook{Token::raised};
    Group box;
    add_patterned(box, lane_box(width, lane), look.color, look.pattern, 2);
    group.group(std::move(box)).named(fmt::format("lane:{}", lane), title_of_lane(view, lane, start));
  }
}

void draw_places(Group& group, const Places& places, bool costly) {
  for (const LinePlace& place : places.boxes) {
    const Token cost = costly ? Token::costly : Token::good;
    const Color color = place.used ? Color{cost} : place.moved ? Color{cost, 0.3} : Color{Token::raised};
    const Color around = place.used ? Color{Token::line} : place.moved ? Color{cost} : edge();
    group.rect(place.box, {.fill = color, .stroke = scene::Stroke{around}}, 2).named(place.id, place.title);
  }
}

// The step between neighbouring active lanes, where there is but one.
std::optional<std::int64_t> stride_of(const WarpAccessView& view) {
  std::optional<std::int64_t> stride;
  for (int lane = 1; lane < 32; ++lane) {
    if (!is_active(view, lane) || !is_active(view, lane - 1)) return std::nullopt;
    const auto step = static_cast<std::int64_t>(address_of(view, lane) - address_of(view, lane - 1));
    if (stride && *stride != step) return std::nullopt;
    stride = step;
  }
  return stride;
}

}  // namespace

std::string lane_lines_caption(const WarpAccessView& view) {
  if (view.pieces.elsewhere != 0) return "Shared memory of " + view.elsewhere;
  std::string text;
  if (const auto stride = stride_of(view))
    text = *stride == 0 ? view.access.width == 4
                              ? "All lanes go to one address"
                              : fmt::format("All lanes go to the same {} bytes", view.access.width)
                        : fmt::format("Lanes are {} bytes apart",
                                      plot::plain(static_cast<double>(std::abs(*stride)), 15));
  if (view.pieces.is_shared) return text;
  const std::size_t lines = lines_of(view).size();
  const std::string shown = lines > kMostLines ? fmt::format("{} of {} lines shown", kMostLines, lines) : "";
  return text.empty() ? shown : shown.empty() ? text : text + "; " + shown;
}

scene::Scene lane_lines_scene(const WarpAccessView& view, scene::Size size, AccessOptions::Colors colors) {
  scene::Scene scene(size, Token::panel);
  const Rect row{0, size.height - kPlaceHeight - 2 * kTextHeight, size.width, kPlaceHeight};
  const Places places = view.pieces.is_shared ? bank_places(view, row) : sector_places(view, row);
  for (const Target& target : places.targets) {
    const Rect from = lane_box(size.width, target.lane);
    const Color color = lane_look(colors, target.lane).color;
    scene.root.line({from.center().x, from.bottom()}, {places.boxes[target.place].box.center().x, row.y},
                    {color, target.lane == 0 ? 1.5 : 1});
  }
  draw_lanes(scene.root, view, size.width, colors);
  draw_places(scene.root, places, view.pieces.units > view.pieces.ideal);
  TextStyle label = code(Token::dim);
  label.size = 10, label.anchor = scene::Anchor::middle;
  const double width = size.width / static_cast<double>(std::max<std::size_t>(places.labels.size(), 1));
  for (const auto& [x, text] : places.labels)
    scene.root.text({x, row.bottom() + 14}, text, within(label, width));
  scene.root.text({0, size.height - 6}, lane_lines_caption(view), within(caption(), size.width));
  return scene;
}

}  // namespace warplens::figures
