#include "viz/figures/parts/block_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {
namespace {

using explain::WarpGroupWork;

constexpr Token kCopyColor = Token::first_thread, kProductColor = Token::first_warp,
                kStoreColor = Token::series_3;
constexpr std::uint32_t kWarpsOfGroup = 4;  // of a group
constexpr double kNames = 96, kBetweenGroups = 14, kHighestRow = 34;

bool is_one_of(const std::vector<std::uint32_t>& threads, std::uint32_t thread) {
  return std::ranges::find(threads, thread) != threads.end();
}

struct RoleDot {
  std::optional<Color> color = {};
  std::string what = "does neither";
  bool has_ring = false;  // it has tiles taken out besides
};
RoleDot role_dot(const WarpGroupWork& group, std::uint32_t thread) {
  const bool stores = is_one_of(group.storing, thread);
  if (is_one_of(group.copying, thread)) return {kCopyColor, "has tiles copied", stores};
  if (group.products > 0)
    return {kProductColor, stores ? "multiplies, and has tiles taken out" : "multiplies", stores};
  if (stores) return {kStoreColor, "has tiles taken out"};
  return {};
}

void add_role_dots(Group& root, const Rect& row, const WarpGroupWork& group, std::uint32_t warp) {
  const double cell = row.width / 32, radius = std::min({cell * 0.38, row.height * 0.38, 12.0});
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const RoleDot dot = role_dot(group, warp * 32 + lane);
    const Point at{row.x + (lane + 0.5) * cell, row.center().y};
    Group one;
    if (dot.color)
      one.circle(at, radius, {.fill = *dot.color});
    else
      one.circle(at, radius, {.stroke = scene::Stroke{edge(), 1}});
    if (dot.has_ring) one.circle(at, radius * 0.55, {.fill = Color{kStoreColor}});
    root.group(std::move(one))
        .named(fmt::format("lane:{}", lane), fmt::format("Thread {} {}", warp * 32 + lane, dot.what));
  }
}

// What it does, a number a line.
std::vector<std::string> work_lines(const WarpGroupWork& group) {
  std::vector<std::string> lines;
  if (group.boxes > 0) lines.push_back(counted(group.boxes, "box", "boxes"));
  if (group.products > 0) lines.push_back(counted(group.products, "wgmma", "wgmma"));
  if (group.boxes_stored > 0) lines.push_back(counted(group.boxes_stored, "box out", "boxes out"));
  if (group.registers > 0) lines.push_back(counted(static_cast<std::uint64_t>(group.registers), "register"));
  if (group.arrivals > 0) lines.push_back(counted(group.arrivals, "arrival"));
  return lines;
}

// A class reads the first of them.
std::vector<std::string> shown_lines(const WarpGroupWork& group, Look look) {
  constexpr std::size_t kFew = 3;
  std::vector<std::string> lines = work_lines(group);
  if (is_on_stage(look) && lines.size() > kFew) lines.resize(kFew);
  return lines;
}

std::vector<Key> role_keys(const explain::Roles& roles) {
  const auto any = [&](auto does) { return std::ranges::any_of(roles.groups, does); };
  std::vector<Key> keys;
  if (any([](const WarpGroupWork& group) { return !group.copying.empty(); }))
    keys.push_back({kCopyColor, "copies"});
  if (any([](const WarpGroupWork& group) { return group.products > 0; }))
    keys.push_back({kProductColor, "multiplies"});
  if (any([](const WarpGroupWork& group) { return !group.storing.empty(); }))
    keys.push_back({kStoreColor, "stores"});
  return keys;
}

}  // namespace

scene::Scene roles_scene(const explain::Roles& roles, Look look, scene::Size size,
                         const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  const Rect area = inner_area(size);
  const TextStyle words = is_on_stage(look) ? body() : caption(Token::text);
  double right = 0;
  for (const WarpGroupWork& group : roles.groups)
    for (const std::string& line : shown_lines(group, look))
      right = std::max(right, measure.width(line, words));
  right += 2 * kBetweenGroups;
  double y =
      area.y + add_key_row(scene.root, {area.x, area.y + 8}, role_keys(roles), area.width, measure) + 20;
  const auto groups = static_cast<double>(roles.groups.size());
  const double room = area.bottom() - y - (groups - 1) * kBetweenGroups,
               row = std::min(kHighestRow, room / (groups * kWarpsOfGroup));
  for (std::size_t g = 0; g < roles.groups.size(); ++g, y += kBetweenGroups) {
    const WarpGroupWork& group = roles.groups[g];
    const double top = y;
    for (std::uint32_t w = 0; w < kWarpsOfGroup; ++w, y += row) {
      const auto warp = static_cast<std::uint32_t>(g) * kWarpsOfGroup + w;
      add_role_dots(scene.root, {area.x + kNames, y, area.width - kNames - right, row}, group, warp);
    }
    const auto first = g * kWarpsOfGroup;
    scene.root.text({area.x, (top + y) / 2 + 4},
                    fmt::format("{}{}-{}", g == 0 ? "warps " : "", first, first + kWarpsOfGroup - 1),
                    within(caption(), kNames - 8));
    const std::vector<std::string> lines = shown_lines(group, look);
    const double line = std::min(
        words.size * 1.4, kWarpsOfGroup * row / static_cast<double>(std::max<std::size_t>(lines.size(), 1)));
    double at = top + (kWarpsOfGroup * row - line * static_cast<double>(lines.size())) / 2 + line * 0.75;
    for (const std::string& text : lines) {
      scene.root.text({area.right() - right + kBetweenGroups, at}, text,
                      within(words, right - kBetweenGroups));
      at += line;
    }
  }
  return scene;
}

}  // namespace warplens::figures
