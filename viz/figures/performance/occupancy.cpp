#include "viz/figures/performance/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/device/occupancy_curves.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {
namespace {

using Points = Result<std::vector<device::OccupancyPoint>>;
struct Curve {
  std::string id, title, short_title, unit;
  double divisor;       // of the axis
  const char* written;  // of the chosen value: its unit there
  Points (*points)(const device::Device&, const device::ResourceUsage&);
  std::int64_t (*chosen)(const device::ResourceUsage&);
};
const std::vector<Curve>& curves() {
  static const std::vector<Curve> all = {
      {"threads", "Threads per block", "Threads", "threads per block", 1, "", device::occupancy_by_threads,
       [](const device::ResourceUsage& u) -> std::int64_t { return u.threads_per_block; }},
      {"registers", "Registers per thread", "Registers", "registers per thread", 1, "",
       device::occupancy_by_registers,
       [](const device::ResourceUsage& u) -> std::int64_t { return u.registers_per_thread; }},
      {"shared", "Shared KiB per block", "Shared KiB", "bytes per block", 1024, " KiB",
       device::occupancy_by_shared, [](const device::ResourceUsage& u) { return u.shared_bytes_per_block; }}};
  return all;
}

constexpr const char* kResident = "resident warps";

// Of a kernel on a device that no compiler of today makes machine code for they are not.
bool knows_registers(const OccupancyInput& input) {
  return input.use.registers_per_thread > 0 || !input.kernel || input.kernel->registers_per_thread > 0;
}

bool is_known(const Curve& curve, const OccupancyInput& input) {
  return curve.id != "registers" || knows_registers(input);
}

// Whether the number that this curve varies was set by hand.
bool is_by_hand(const Curve& curve, const OccupancyInput& input) {
  return input.kernel && curve.chosen(input.use) != curve.chosen(*input.kernel);
}

bool any_by_hand(const OccupancyInput& input) {
  return std::any_of(curves().begin(), curves().end(),
                     [&](const Curve& curve) { return is_by_hand(curve, input); });
}

// The same above all three curves; with a line more where one has a note.
double head_height(const OccupancyInput& input) { return any_by_hand(input) ? 44 : 26; }

std::string value_words(const Curve& curve, const device::ResourceUsage& use) {
  const std::int64_t chosen = curve.chosen(use);
  const double value = static_cast<double>(chosen) / curve.divisor;
  if (chosen > 0 && value < 1) return fmt::format("{} B", chosen);
  return (value < 100 ? plot::plain(value, 3) : plot::plain(std::round(value), 15)) + curve.written;
}

plot::Plot plot_of(const Curve& curve, const std::vector<device::OccupancyPoint>& points,
                   const OccupancyInput& input, const device::Occupancy& fit) {
  plot::Plot plot{.ground = Token::panel};
  plot.x = {.divisor = curve.divisor, .binary = true};
  plot.y = {.label = kResident, .low = 0, .high = input.device.max_warps_per_sm * 1.08, .binary = true};
  const std::int64_t unit = curve.id == "threads"  ? input.device.warp_size
                            : curve.id == "shared" ? input.device.shared_allocation_unit
                                                   : 1;
  plot::Series line{.id = curve.id,
                    .kind = unit > 1 ? plot::Series::Kind::line : plot::Series::Kind::step,
                    .provenance = plot::Provenance::recorded,
                    .color = Color{Token::first_warp},
                    .markers = false};
  for (const auto& corner : device::corners(points, unit))
    line.x.push_back(static_cast<double>(corner.x)), line.y.push_back(corner.warps_per_sm);
  plot::Series chosen{.id = curve.id + "-chosen",
                      .kind = plot::Series::Kind::points,
                      .color = Color{Token::first_thread},
                      .x = {static_cast<double>(curve.chosen(input.use))},
                      .y = {static_cast<double>(fit.warps_per_sm)}};
  if (is_by_hand(curve, input)) chosen.shape = 2;  // a triangle, as beside the value
  plot.series = {std::move(line)};
  if (is_known(curve, input)) plot.series.push_back(std::move(chosen));
  return plot;
}

// The value in words at its place: a class has no head above the curve to read it from.
void add_value(plot::Plot& plot, const Curve& curve, const OccupancyInput& input,
               const device::Occupancy& fit) {
  plot.x.label = curve.title;
  plot.annotations.push_back({.kind = plot::Annotation::Kind::vertical,
                              .x = static_cast<double>(curve.chosen(input.use)),
                              .text = fmt::format("{}: {} of {} warps", value_words(curve, input.use),
                                                  fit.warps_per_sm, input.device.max_warps_per_sm),
                              .color = Token::first_thread});
}

// The mark of a number that was set by hand.
void add_triangle(Group& group, Point at) {
  group.polygon({{at.x, at.y - 5}, {at.x + 5, at.y + 4}, {at.x - 5, at.y + 4}},
                {.fill = Token::first_thread});
}

// What is varied, and at the right, in the colour of its point, the kernel's own value. Answers the height.
double add_curve_head(Group& group, const Rect& inside, const Curve& curve, const OccupancyInput& input,
                      const scene::TextMeasure& measure) {
  const std::string text = is_known(curve, input) ? value_words(curve, input.use) : "not known";
  const double width = measure.width(text, heading()), y = inside.y + 14;
  const double room = inside.width - width - 24;
  group.text({inside.x, y}, measure.width(curve.title, heading()) <= room ? curve.title : curve.short_title,
             within(heading(), room));
  group.text({inside.right(), y}, text, at_end(heading()));
  const Point mark{inside.right() - width - 10, y - 5};
  if (!is_known(curve, input)) return head_height(input);
  if (!is_by_hand(curve, input)) {
    group.circle(mark, 4, {.fill = Token::first_thread});
    return head_height(input);
  }
  add_triangle(group, mark);
  const bool is_known_too = curve.id != "registers" || input.kernel->registers_per_thread > 0;
  const std::string note =
      "set by hand, the kernel" +
      (is_known_too ? " has " + value_words(curve, *input.kernel) : std::string("'s are not known"));
  const bool fits = measure.width(note, caption()) <= inside.width;
  group.text({inside.right(), y + 18}, fits ? note : "set by hand",
             within(at_end(caption(Token::accent)), inside.width));
  return head_height(input);
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
  std::string name, short_name, detail, has, needs;
  int blocks;
  device::Limiter limiter;
};

std::vector<Limit> limits_of(const OccupancyInput& input, const device::Occupancy& fit) {
  const auto& d = input.device;
  const auto u = [](std::int64_t n) {
    return grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0)));
  };
  const int warps = (input.use.threads_per_block + d.warp_size - 1) / d.warp_size;
  const std::int64_t asked = input.use.shared_bytes_per_block;
  // More than any device has is not rounded up to its units.
  const std::int64_t shared = asked > d.shared_per_sm ? asked : device::allocated_shared(d, input.use);
  return {{"warps", "warps", "", u(d.max_warps_per_sm), u(warps), fit.by_warps, device::Limiter::warps},
          {"blocks", "blocks", "", u(d.max_blocks_per_sm), "1", fit.by_blocks, device::Limiter::blocks},
          {"registers", "registers",
           knows_registers(input) ? fmt::format("{} a thread", input.use.registers_per_thread) : "",
           u(d.registers_per_sm),
           knows_registers(input) ? u(device::allocated_registers(d, input.use)) : "not known",
           fit.by_registers, device::Limiter::registers},
          {"shared bytes", "shared", shared == asked ? "" : u(asked) + " asked for", u(d.shared_per_sm),
           u(shared), fit.by_shared, device::Limiter::shared}};
}

constexpr double kLimitStep = 25;  // from one row of the limits to the next, at least

// In rows as high as there is room for, up to the most.
void draw_limits(Group& group, const Rect& rect, const OccupancyInput& input, const device::Occupancy& fit,
                 const scene::TextMeasure& measure, double most_step = kLimitStep) {
  const Rect inside = add_card(group, rect, "What limits the blocks per SM");
  const double has = inside.width * 0.5, needs = inside.width * 0.78;
  const double step = std::clamp((inside.height - 10) / 5, kLimitStep, std::max(most_step, kLimitStep));
  double y = inside.y + 10;
  const auto row = [&](const TextStyle& style, const std::string& name, const std::string& an_sm,
                       const std::string& a_block, const std::string& blocks) {
    group.text({inside.x, y}, name, style);
    group.text({inside.x + has, y}, an_sm, at_end(style));
    group.text({inside.x + needs, y}, a_block, at_end(style));
    group.text({inside.right(), y}, blocks, at_end(style));
    y += step;
  };
  const bool wide = inside.width >= 330;
  row(caption(), "", wide ? "an SM has" : "SM has", wide ? "a block takes" : "a block", "blocks");
  for (const Limit& limit : limits_of(input, fit)) {
    const bool stops = std::count(fit.limiters.begin(), fit.limiters.end(), limit.limiter) != 0;
    if (stops)
      group.rect({inside.x - 8, y - 16 - (step - kLimitStep) / 2, inside.width + 16, step - 1},
                 {.fill = Color{Token::costly, 0.16}}, 4);
    TextStyle style = caption(stops ? Token::text : Token::dim);
    if (stops) style.weight = scene::Weight::semibold;
    const std::string longest = limit.detail.empty() ? limit.name : limit.name + ", " + limit.detail;
    const bool fits = measure.width(longest, style) + measure.width(limit.has, style) + 16 <= has;
    const bool named = measure.width(limit.name, style) + measure.width(limit.has, style) + 16 <= has;
    row(style,
        fits    ? longest
        : named ? limit.name
                : limit.short_name,
        limit.has, limit.needs,
        limit.blocks == device::kUnlimitedBlocks
            ? limit.limiter == device::Limiter::registers && !knows_registers(input) ? "?" : "any"
            : fmt::format("{}", limit.blocks));
  }
}

}  // namespace

std::optional<double> too_few_blocks(const OccupancyInput& input, const device::Occupancy& fit) {
  if (input.device.sm_count <= 0) return std::nullopt;
  const double each = static_cast<double>(input.grid) / input.device.sm_count;
  return each >= 1 && each < fit.blocks_per_sm ? std::optional(each) : std::nullopt;
}
bool has_idle_sms(const OccupancyInput& input) {
  return input.grid > 0 && input.grid < static_cast<std::uint64_t>(std::max(input.device.sm_count, 0));
}

namespace {

struct SlotLook {
  int in_row = 16;
  double largest = 14;  // pixels from one to the next
  double other_shade = 0.72;
};

struct Slot {
  scene::Style style;
  std::string tip;
};
// in_block: warps of a block. filled: how many of the places that blocks fit into the grid has blocks for.
Slot slot_of(int slot, int in_block, int filled, const device::Occupancy& fit, const SlotLook& look) {
  if (slot >= fit.warps_per_sm)
    return {{.fill = Color{Token::raised}, .stroke = scene::Stroke{edge()}},
            "No warp: no further block fits"};
  if (slot >= filled)
    return {{.fill = Color{Token::panel}, .stroke = scene::Stroke{Token::first_warp, 1.5}},
            "No warp: a block fits, but the grid has no more"};
  return {{.fill = Color{Token::first_warp, slot / in_block % 2 == 0 ? 1 : look.other_shade}},
          fmt::format("A warp of block {}", slot / in_block)};
}

// A box for each warp that an SM can hold, those of one block in one shade.
void draw_slots(Group& group, const Rect& area, const OccupancyInput& input, const device::Occupancy& fit,
                const SlotLook& look = {}) {
  const int slots = input.device.max_warps_per_sm;
  const int in_row = look.in_row, rows = (slots + in_row - 1) / in_row;
  const double pitch = std::min({area.width / in_row, area.height / rows, look.largest});
  if (pitch < 5) return;
  const double gap = std::max(2.0, pitch / 8);
  const int in_block = fit.blocks_per_sm == 0 ? 1 : fit.warps_per_sm / fit.blocks_per_sm;
  const auto each = too_few_blocks(input, fit);
  const int filled = each ? static_cast<int>(std::lround(*each * in_block)) : fit.warps_per_sm;
  for (int slot = 0; slot < slots; ++slot) {
    const Rect box{area.x + slot % in_row * pitch, area.y + slot / in_row * pitch, pitch - gap, pitch - gap};
    Slot look_of = slot_of(slot, in_block, filled, fit, look);
    group.rect(box, look_of.style, 2).named("", std::move(look_of.tip));
  }
}

// "528 blocks: 4 for each SM", "4 blocks for 132 SMs"; empty where the grid has as many as fit.
std::string grid_words(const OccupancyInput& input, const device::Occupancy& fit) {
  if (has_idle_sms(input))
    return fmt::format("{} for {} SMs", counted(input.grid, "block"), input.device.sm_count);
  const auto each = too_few_blocks(input, fit);
  return each ? fmt::format("{}: {} for each SM", counted(input.grid, "block"), plot::plain(*each, 2)) : "";
}

std::string share_title(const OccupancyInput& input) {
  return fmt::format("Occupancy{}{}", has_idle_sms(input) ? " of a full SM" : "",
                     knows_registers(input) ? "" : ", at most");
}

void add_small_lines(Group& group, Point at, const std::string& text, double width, const TextStyle& style,
                     const scene::TextMeasure& measure) {
  for (const std::string& line : scene::wrapped(text, width, style, measure)) {
    group.text(at, line, within(style, width));
    at.y += 17;
  }
}

void draw_total(Group& group, const Rect& rect, const OccupancyInput& input, const device::Occupancy& fit,
                const scene::TextMeasure& measure) {
  const Rect total = add_card(group, rect, share_title(input));
  const TextStyle large = sized(number(fit.blocks_per_sm == 0 ? Token::costly : Token::text), 34);
  const std::string percent = plot::percent(fit.occupancy);
  group.text({total.x, total.y + 34}, percent, large);
  const double left = total.x + measure.width(percent, large) + 24;
  draw_slots(group, {left, total.y - 8, total.right() - left, 56}, input, fit);
  const auto threads =
      static_cast<std::uint64_t>(fit.blocks_per_sm) * static_cast<std::uint64_t>(input.use.threads_per_block);
  group.text({total.x, total.y + 72},
             fit.blocks_per_sm == 0 ? "No block fits on an SM"
                                    : fmt::format("{} of {} warps, {} threads", fit.warps_per_sm,
                                                  input.device.max_warps_per_sm, grouped(threads)),
             within(body(), total.width));
  if (const std::string why = device::why_no_block(input.device, input.use); !why.empty()) {
    add_small_lines(group, {total.x, total.y + 94}, why, total.width, caption(), measure);
    return;
  }
  group.text({total.x, total.y + 98},
             fit.blocks_per_sm == 0
                 ? "and cannot be launched"
                 : counted(static_cast<std::uint64_t>(fit.blocks_per_sm), "block") + " on each SM",
             within(body(Token::dim), total.width));
  const std::string words = grid_words(input, fit);
  if (!words.empty())
    add_small_lines(group, {total.x, total.y + 122}, "The grid has " + words, total.width,
                    caption(Token::costly), measure);
}

// How many places stand in a row, so that they are as large as the room allows.
int places_in_row(int slots, const Rect& area) {
  int best = 1;
  double largest = 0;
  for (const int in_row : {4, 8, 16, 32}) {
    const double pitch = std::min(area.width / in_row, area.height / std::ceil(1.0 * slots / in_row));
    if (pitch > largest) largest = pitch, best = in_row;
  }
  return best;
}

// How full an SM is, in words and as its places, which are seen from the last row of a hall.
void draw_places(Group& group, const Rect& rect, const OccupancyInput& input, const device::Occupancy& fit,
                 const scene::TextMeasure& measure) {
  const Rect inside = add_card(group, rect, share_title(input));
  const TextStyle large = sized(number(fit.blocks_per_sm == 0 ? Token::costly : Token::text), 34);
  const std::string percent = plot::percent(fit.occupancy);
  group.text({inside.x, inside.y + 30}, percent, large);
  const auto blocks = static_cast<std::uint64_t>(fit.blocks_per_sm);
  const int in_block = fit.blocks_per_sm == 0 ? 0 : fit.warps_per_sm / fit.blocks_per_sm;
  const std::string of_warps = fmt::format("{} of {} warps", fit.warps_per_sm, input.device.max_warps_per_sm);
  const std::string of_blocks =
      blocks == 0 ? "no block fits" : fmt::format("in {} of {}", counted(blocks, "block"), in_block);
  // Beside the share, or below it where a narrow card has no room there.
  const double beside = inside.x + measure.width(percent, large) + 16;
  const bool is_beside =
      beside + std::max(measure.width(of_warps, body()), measure.width(of_blocks, body())) <= inside.right();
  const Point at = is_beside ? Point{beside, inside.y + 10} : Point{inside.x, inside.y + 52};
  group.text(at, of_warps, within(body(), inside.right() - at.x));
  group.text({at.x, at.y + 20}, of_blocks, within(body(Token::dim), inside.right() - at.x));
  const double top = is_beside ? 48 : 88;
  const std::string words = grid_words(input, fit);
  const double below = words.empty() ? 0 : 26;
  const Rect area{inside.x, inside.y + top, inside.width, inside.height - top - below};
  draw_slots(
      group, area, input, fit,
      {.in_row = places_in_row(input.device.max_warps_per_sm, area), .largest = 44, .other_shade = 0.55});
  if (!words.empty())
    group.text({inside.x, inside.bottom()}, words, within(body(Token::costly), inside.width));
}

Status draw_curve(Group& group, const Rect& card, const Curve& curve, const OccupancyInput& input,
                  const device::Occupancy& fit, const scene::TextMeasure& measure, Look look) {
  const auto points = curve.points(input.device, input.use);
  if (!points) return points.error();
  add_card(group, card, "");
  plot::Plot plot = plot_of(curve, *points, input, fit);
  if (is_brief(look) && is_known(curve, input)) add_value(plot, curve, input, fit);
  const Rect inside = card.inset(14);
  const double head = is_brief(look) ? 0 : add_curve_head(group, inside, curve, input, measure);
  const plot::Layout layout =
      plot::layout_plot(plot, {inside.x, inside.y + head, inside.width, inside.height - head}, measure);
  group.group(plot::draw_plot(plot, layout, measure));
  add_strips(group, curve, *points, layout);
  return Done{};
}

// Blocks of a grid that does not grow with the problem; else 0, as what a small problem leaves empty is not
// the kernel's doing.
std::uint64_t fixed_grid(const run::Plan& plan) {
  catalog::Values larger = plan.sizes;
  for (auto& [name, size] : larger) size *= 2;
  const auto launch = catalog::launch_shape(plan.spec, plan.parameters, larger);
  const std::uint64_t blocks = catalog::blocks_in_grid(plan.launch);
  return launch && catalog::blocks_in_grid(*launch) == blocks ? blocks : 0;
}

Result<OccupancyInput> input_of(const Subject& subject) {
  if (subject.occupancy != nullptr) return *subject.occupancy;
  if (subject.run != nullptr && subject.run->complete) return occupancy_of(*subject.run, subject.by_hand);
  return Error{"waiting for the compiler to count the registers", "try again in a moment"};
}

}  // namespace

Result<scene::Scene> occupancy_scene(const OccupancyInput& input, scene::Size size,
                                     const scene::TextMeasure& measure) {
  const auto fit = device::occupancy(input.device, input.use);
  if (!fit) return fit.error();
  scene::Scene scene{size};
  const Rect area = inner_area(size);
  const double left = std::max(area.width * 0.36, 264.0);
  scene.root.text({area.x, area.y + 18}, input.title, within(sized(heading(), 17), area.width));
  scene.root.text({area.x, area.y + 42},
                  fmt::format("{}, compute capability {}.{}", input.device.name,
                              input.device.compute_capability / 10, input.device.compute_capability % 10),
                  within(caption(), area.width));
  const double lower = 184, upper = area.height - lower - 80, wide = (area.width - 32) / 3;
  for (std::size_t c = 0; c < curves().size(); ++c) {
    const Rect card{area.x + static_cast<double>(c) * (wide + 16), area.y + 60, wide, upper};
    if (const Status drawn = draw_curve(scene.root, card, curves()[c], input, *fit, measure, Look::file);
        !drawn)
      return drawn.error();
  }
  const double top = area.bottom() - lower;
  draw_total(scene.root, {area.x, top, left, lower}, input, *fit, measure);
  draw_limits(scene.root, {area.x + left + 16, top, area.width - left - 16, lower}, input, *fit, measure);
  return scene;
}

Result<scene::Scene> occupancy_for_class(const OccupancyInput& input, std::string_view curve,
                                         scene::Size size, const scene::TextMeasure& measure) {
  constexpr double kGap = 16, kBeside = 480, kMost = 300, kLimits = 190, kSide = 6, kMostStep = 52;
  constexpr double kEdge = 1;     // of a card
  constexpr double kWide = 1.25;  // of a room whose cards stand beside each other
  const auto fit = device::occupancy(input.device, input.use);
  if (!fit) return fit.error();
  scene::Scene scene{size};
  const bool beside = size.width >= kBeside && size.width >= kWide * size.height;
  const double height = std::min(size.height - 2 * kEdge, beside ? kMost : 2 * kMost);
  const double side = beside ? kEdge : kSide;  // two that are compared stand apart
  const Rect area{side, (size.height - height) / 2, size.width - 2 * side, height};
  const double left = beside ? std::floor(area.width * 0.36) : area.width;
  const auto found = std::ranges::find(curves(), curve, &Curve::id);
  const bool has_curve = found != curves().end();
  // Of two that are compared the places alone say what differs, as long as there is no room for more.
  const bool has_other = beside || has_curve || area.height >= 2 * kLimits;
  const double upper = beside      ? area.height
                       : has_other ? std::max(area.height - kLimits - kGap, area.height * 0.4)
                                   : std::min(area.height, 240.0);
  draw_places(scene.root, {area.x, area.y, left, upper}, input, *fit, measure);
  if (!has_other) return scene;
  const Rect other = beside ? Rect{area.x + left + kGap, area.y, area.width - left - kGap, area.height}
                            : Rect{area.x, area.y + upper + kGap, area.width, area.height - upper - kGap};
  if (!has_curve) {
    draw_limits(scene.root, other, input, *fit, measure, kMostStep);
    return scene;
  }
  if (const Status drawn = draw_curve(scene.root, other, *found, input, *fit, measure, Look::stage); !drawn)
    return drawn.error();
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

OccupancyInput occupancy_of(const run::Run& run, const SetByHand& by_hand) {
  const device::ResourceUsage own{threads_per_block(run.plan()), run.report.device_registers,
                                  run.report.shared_bytes};
  const device::ResourceUsage use{by_hand.threads.value_or(own.threads_per_block),
                                  by_hand.registers.value_or(own.registers_per_thread),
                                  by_hand.shared.value_or(own.shared_bytes_per_block)};
  OccupancyInput input{run.device(), use, run.plan().spec.title, own};
  if (any_by_hand(input)) return input;
  input.grid = fixed_grid(run.plan()), input.spills = explain::explain_spills(run);
  const std::uint64_t blocks = catalog::blocks_in_grid(run.plan().launch);
  if (blocks < static_cast<std::uint64_t>(std::max(run.device().sm_count, 0))) input.grid = blocks;
  return input;
}

Result<scene::Scene> draw_occupancy(const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure) {
  const auto input = input_of(subject);
  if (!input) return input.error();
  return is_brief(subject.look) ? occupancy_for_class(*input, subject.curve, size, measure)
                                : occupancy_scene(*input, size, measure);
}

Result<std::string> occupancy_table(const Subject& subject) {
  const auto input = input_of(subject);
  return input ? occupancy_csv(*input) : input.error();
}

}  // namespace warplens::figures
