#include "viz/figures/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/occupancy_curves.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {
namespace {

using Points = Result<std::vector<device::OccupancyPoint>>;
struct Curve {
  std::string id, title, unit;
  Points (*points)(const device::Device&, const device::KernelUse&);
  std::int64_t (*chosen)(const device::KernelUse&);
};
const std::vector<Curve>& curves() {
  static const std::vector<Curve> all = {
      {"threads", "Threads a block", "threads a block", device::occupancy_by_threads,
       [](const device::KernelUse& u) -> std::int64_t { return u.threads_per_block; }},
      {"registers", "Registers a thread", "registers a thread", device::occupancy_by_registers,
       [](const device::KernelUse& u) -> std::int64_t { return u.registers_per_thread; }},
      {"shared", "Shared bytes a block", "bytes a block", device::occupancy_by_shared,
       [](const device::KernelUse& u) { return u.shared_bytes_per_block; }}};
  return all;
}

plot::Plot plot_of(const Curve& curve, const std::vector<device::OccupancyPoint>& points,
                   const OccupancyInput& input, const device::Occupancy& fit) {
  plot::Plot plot{.title = curve.title};
  plot.y = {.label = "resident warps", .low = 0, .high = input.device.max_warps_per_sm * 1.08};
  if (curve.id == "shared") plot.x.notation = plot::Notation::si;
  plot::Series line{.id = curve.id,
                    .kind = curve.id == "threads" ? plot::Series::Kind::line : plot::Series::Kind::step,
                    .provenance = plot::Provenance::recorded,
                    .color = Color{Token::first_warp},
                    .markers = false};
  for (const auto& point : points) {
    line.x.push_back(static_cast<double>(point.x));
    line.y.push_back(point.warps_per_sm);
  }
  plot::Series chosen{.id = curve.id + "-chosen",
                      .kind = plot::Series::Kind::points,
                      .color = Color{Token::first_thread},
                      .x = {static_cast<double>(curve.chosen(input.use))},
                      .y = {static_cast<double>(fit.warps_per_sm)},
                      .labels = {grouped(static_cast<std::uint64_t>(curve.chosen(input.use)))}};
  plot.series = {std::move(line), std::move(chosen)};
  return plot;
}

// What can be pointed at: the threads, registers or bytes at each place of a curve, a strip of at least three
// pixels each.
void add_strips(Group& group, const Curve& curve, const std::vector<device::OccupancyPoint>& points,
                const plot::Layout& layout) {
  const Rect& frame = layout.frame;
  for (std::size_t first = 0; first < points.size();) {
    const double from = layout.x.pixel(static_cast<double>(points[first].x));
    std::size_t end = first + 1;
    while (end < points.size() && layout.x.pixel(static_cast<double>(points[end].x)) - from < 3) ++end;
    const auto& point = points[first + (end - first) / 2];
    const double half = end < points.size() ? (layout.x.pixel(static_cast<double>(points[end].x)) - from) / 2
                                            : std::max(frame.right() - from, 3.0);
    const double left = std::max(from - half, frame.x), right = std::min(from + half, frame.right());
    group.rect({left, frame.y, std::max(right - left, 0.0), frame.height}, {.fill = Color::transparent()})
        .named(fmt::format("{}:{}", curve.id, point.x),
               fmt::format("{} {}: {} warps", grouped(static_cast<std::uint64_t>(point.x)), curve.unit,
                           point.warps_per_sm));
    first = end;
  }
}

struct Limit {
  std::string name, has, needs;
  int blocks;
  device::Limiter limiter;
};

std::vector<Limit> limits_of(const OccupancyInput& input, const device::Occupancy& fit) {
  const auto& d = input.device;
  const auto u = [](std::int64_t n) {
    return grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0)));
  };
  const int warps = (input.use.threads_per_block + d.warp_size - 1) / d.warp_size;
  return {{"warps", u(d.max_warps_per_sm), u(warps), fit.by_warps, device::Limiter::warps},
          {"blocks", u(d.max_blocks_per_sm), "1", fit.by_blocks, device::Limiter::blocks},
          {"registers", u(d.registers_per_sm), fmt::format("{} a thread", input.use.registers_per_thread),
           fit.by_registers, device::Limiter::registers},
          {"shared bytes", u(d.shared_per_sm), u(input.use.shared_bytes_per_block), fit.by_shared,
           device::Limiter::shared}};
}

void draw_limits(Group& group, const Rect& rect, const OccupancyInput& input, const device::Occupancy& fit) {
  const Rect inside = add_card(group, rect, "What limits the blocks of an SM");
  const double has = inside.width * 0.5, needs = inside.width * 0.78, step = 25;
  double y = inside.y + 10;
  const auto row = [&](const TextStyle& style, const std::string& name, const std::string& an_sm,
                       const std::string& a_block, const std::string& blocks) {
    group.text({inside.x, y}, name, style);
    group.text({inside.x + has, y}, an_sm, at_end(style));
    group.text({inside.x + needs, y}, a_block, at_end(style));
    group.text({inside.right(), y}, blocks, at_end(style));
    y += step;
  };
  row(caption(), "", "an SM has", "a block needs", "blocks");
  for (const Limit& limit : limits_of(input, fit)) {
    const bool stops = std::count(fit.limiters.begin(), fit.limiters.end(), limit.limiter) != 0;
    if (stops)
      group.rect({inside.x - 8, y - 17, inside.width + 16, 24}, {.fill = Color{Token::costly, 0.16}}, 4);
    TextStyle style = caption(stops ? Token::text : Token::dim);
    if (stops) style.weight = scene::Weight::semibold;
    row(style, limit.name + (stops ? " ▸" : ""), limit.has, limit.needs,
        limit.blocks == device::kUnlimitedBlocks ? "any" : fmt::format("{}", limit.blocks));
  }
}

}  // namespace

Result<scene::Scene> occupancy_scene(const OccupancyInput& input, scene::Size size,
                                     const scene::TextMeasure& measure) {
  const auto fit = device::occupancy(input.device, input.use);
  if (!fit) return fit.error();
  scene::Scene scene{size};
  const Rect area{margin, margin, size.width - 2 * margin, size.height - 2 * margin};
  scene.root.text({area.x, area.y + 18}, input.title, within(sized(heading(), 17), area.width));
  scene.root.text({area.x, area.y + 42},
                  fmt::format("{}, compute capability {}.{}", input.device.name,
                              input.device.compute_capability / 10, input.device.compute_capability % 10),
                  within(caption(), area.width));
  const double lower = 184, upper = area.height - lower - 80, wide = (area.width - 32) / 3;
  for (std::size_t c = 0; c < curves().size(); ++c) {
    const auto points = curves()[c].points(input.device, input.use);
    if (!points) return points.error();
    const Rect card{area.x + static_cast<double>(c) * (wide + 16), area.y + 60, wide, upper};
    add_card(scene.root, card, "");
    const plot::Plot plot = plot_of(curves()[c], *points, input, *fit);
    const plot::Layout layout = plot::layout_plot(plot, card.inset(14), measure);
    scene.root.group(plot::draw_plot(plot, layout, measure));
    add_strips(scene.root, curves()[c], *points, layout);
  }
  const double left = std::max(area.width * 0.36, 264.0);
  const Rect total = add_card(scene.root, {area.x, area.bottom() - lower, left, lower}, "Occupancy");
  scene.root.text({total.x, total.y + 34}, fmt::format("{:.3g} %", fit->occupancy * 100),
                  sized(number(), 34));
  scene.root.text({total.x, total.y + 64},
                  fmt::format("{} of {} warps, {} threads", fit->warps_per_sm, input.device.max_warps_per_sm,
                              grouped(static_cast<std::uint64_t>(fit->blocks_per_sm) *
                                      static_cast<std::uint64_t>(input.use.threads_per_block))),
                  within(body(), total.width));
  scene.root.text({total.x, total.y + 90},
                  counted(static_cast<std::uint64_t>(fit->blocks_per_sm), "block") + " on each SM",
                  within(body(Token::dim), total.width));
  draw_limits(scene.root, {area.x + left + 16, area.bottom() - lower, area.width - left - 16, lower}, input,
              *fit);
  return scene;
}

Result<std::string> occupancy_csv(const OccupancyInput& input) {
  std::string text = "varied,x,warps_per_sm\n";
  for (const Curve& curve : curves()) {
    const auto points = curve.points(input.device, input.use);
    if (!points) return points.error();
    for (const auto& point : *points)
      text += fmt::format("{},{},{}\n", curve.id, point.x, point.warps_per_sm);
  }
  return text;
}

}  // namespace warplens::figures
