#include "viz/figures/performance/performance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using plot::Provenance, plot::Series, scene::Color, scene::Token;

std::string model_note(const PerformanceInput& input) {
  const bool whole = !input.roofline || input.roofline->multiply_adds || input.unit != "GFLOP/s";
  return fmt::format("Modelled: all sectors come from memory, up to {}; caches can be faster",
                     whole ? "the device's peak" : "half the device's peak, as there are no multiply-adds");
}

// What a hit test answers for a step.
std::string id_of(const PerformancePoint& point) { return point.id.empty() ? "" : "step:" + point.id; }
std::string chosen_id(const PerformanceInput& input) {
  return input.chosen.empty() ? "" : "step:" + input.chosen;
}

// One colour for each origin of a number, in every figure and on the cards of the window.
constexpr Token kRecordedColor = Token::series_1, kModelledColor = Token::series_2,
                kLiveColor = Token::series_3, kEmulatedColor = Token::dim;

const double kNothing = std::nan("");

// In the list of steps. Precondition: a point of `points`.
std::size_t number_of(const std::vector<PerformancePoint>& points, const PerformancePoint& point) {
  return point.number > 0 ? point.number : static_cast<std::size_t>(&point - points.data()) + 1;
}

double intensity(const PerformancePoint& point) { return point.bytes > 0 ? point.work / point.bytes : 0; }

bool counts_operations(const PerformanceInput& input) { return input.unit == "GFLOP/s"; }

// Fast results are written in thousands of the unit: TFLOP/s, TB/s.
constexpr double kFast = 10'000;

// modelled: speeds by the model are shown too.
plot::Axis speed_axis(const PerformanceInput& input, bool modelled) {
  double highest = 0;
  for (const auto& point : input.points) {
    for (const auto* speed : {&point.recorded, &point.live, &point.library})
      if (*speed) highest = std::max(highest, (*speed)->value);
    if (modelled) highest = std::max(highest, modelled_speed(input, point).value_or(0));
  }
  if (highest < kFast || !input.unit.starts_with("G")) return {.label = input.unit};
  return {.label = "T" + input.unit.substr(1), .divisor = 1000};
}

// Three digits, and no fewer before the point than there are: "0.499", "73.2", "5,376".
std::string short_speed(const plot::Axis& axis, double value) {
  const double shown = value / axis.divisor;
  return plot::plain(shown < 100 ? shown : std::round(shown), shown < 100 ? 3 : 15);
}

// "7 to 10", "4, 6": ascending numbers in words.
std::string numbers_text(const std::vector<std::size_t>& numbers) {
  const bool all = numbers.back() - numbers.front() + 1 == numbers.size();
  return all && numbers.size() > 2 ? fmt::format("{} to {}", numbers.front(), numbers.back())
                                   : fmt::format("{}", fmt::join(numbers, ", "));
}

// Steps that stand nearly at one place of a roofline share the label of the first: "5 A register tile · 6 to
// 10".
std::string label_among(const std::vector<PerformancePoint>& points, const PerformancePoint& point) {
  std::vector<std::size_t> near;
  for (const PerformancePoint& other : points)
    if (intensity(other) > 0 && std::abs(std::log(intensity(other) / intensity(point))) < 0.25)
      near.push_back(number_of(points, other));
  if (near.front() != number_of(points, point)) return "";
  if (points.size() == 1) return point.step;
  const std::string own = fmt::format("{} {}", near.front(), point.step);
  near.erase(near.begin());
  return near.empty() ? own : fmt::format("{} · {}", own, numbers_text(near));
}

// What a speed is compared with: the first one, and the one of the step before.
struct Gains {
  double first = 0, before = 0;
  std::size_t first_number = 0, before_number = 0;
  bool two = false;  // whether a label has both
};

// A number, how many times the first one it is, and how many times that of the step before:
// "17.3, 34.6×, 1.92× step 3".
std::string label_of(const plot::Axis& axis, double value, std::size_t number, Gains& gains) {
  if (!(gains.first > 0)) gains.first = value, gains.first_number = number;
  std::string label = fmt::format("{}, {}×", short_speed(axis, value), plot::plain(value / gains.first, 3));
  if (gains.before > 0 && gains.before_number != gains.first_number) {
    label += fmt::format(", {}× step {}", plot::plain(value / gains.before, 3), gains.before_number);
    gains.two = true;
  }
  gains.before = value, gains.before_number = number;
  return label;
}

std::string gains_note(const Gains& gains) {
  return gains.two ? fmt::format("A plain × is over step {}", gains.first_number) : "";
}

Series bars(const char* id, const char* name, Provenance provenance, Token color) {
  return {
      .id = id, .name = name, .kind = Series::Kind::bars, .provenance = provenance, .color = Color{color}};
}

void add(Series& series, const PerformancePoint& point, double x, double y, std::string label,
         std::string tip) {
  series.x.push_back(x), series.y.push_back(y);
  series.ids.push_back(id_of(point));
  series.labels.push_back(std::move(label));
  series.tips.push_back(std::move(tip));
}

void add(Series& series, const PerformancePoint& point, double x, const std::optional<MeasuredSpeed>& speed,
         const plot::Axis& axis, std::size_t number, Gains& gains) {
  if (speed)
    add(series, point, x, speed->value, label_of(axis, speed->value, number, gains), speed->how);
  else
    add(series, point, x, kNothing, "", "");
}

// "not measured with PAD = 0; with PAD = 1 2,682": neither a bar nor a number of what is set.
std::string unmeasured_words(const plot::Axis& axis, const PerformancePoint& point) {
  if (point.unmeasured.empty()) return "";
  const std::string near =
      point.nearest
          ? fmt::format("; {} with {}", short_speed(axis, point.nearest->value), point.nearest_values)
          : "";
  return "not measured with " + point.unmeasured + near;
}

// A row without any bar says why: "not modelled, 16 blocks for 108 SMs".
void explain_missing_bars(plot::Plot& plot, const PerformanceInput& input) {
  for (std::size_t i = 0; i < input.points.size(); ++i) {
    const PerformancePoint& point = input.points[i];
    const auto is_missing = [i](const Series& series) { return std::isnan(series.y[i]); };
    if (plot.series.empty() || !std::ranges::all_of(plot.series, is_missing) || fills_chip(input, point))
      continue;
    plot.series.front().labels[i] =
        fmt::format("not modelled, {} {} for {} SMs", plot::plain(static_cast<double>(point.blocks), 15),
                    point.blocks == 1 ? "block" : "blocks", input.roofline->multiprocessors);
  }
}

bool has_values(const Series& series) {
  return std::any_of(series.y.begin(), series.y.end(), [](double y) { return !std::isnan(y); });
}

void add_if_any(plot::Plot& plot, Series series) {
  if (has_values(series)) plot.series.push_back(std::move(series));
}

// cuBLAS ran beside every step: the middle of its speeds at each size.
std::map<double, MeasuredSpeed> library_speeds(const PerformanceInput& input) {
  std::map<double, std::vector<MeasuredSpeed>> all;
  for (const auto& point : input.points)
    if (point.library) all[point.size].push_back(*point.library);
  std::map<double, MeasuredSpeed> middles;
  for (auto& [size, speeds] : all) {
    const auto middle = speeds.begin() + std::ssize(speeds) / 2;
    std::nth_element(speeds.begin(), middle, speeds.end(),
                     [](const auto& a, const auto& b) { return a.value < b.value; });
    middles.emplace(size, *middle);
  }
  return middles;
}

void add_library_line(plot::Plot& plot, const PerformanceInput& input) {
  for (const auto& [size, speed] : library_speeds(input))
    plot.annotations.push_back(
        {.kind = plot::Annotation::Kind::horizontal,
         .y = speed.value,
         .text = fmt::format("cuBLAS {}, recorded", short_speed(plot.y, speed.value))});
}

constexpr const char* kLibraryName = "cuBLAS";

// The number of its step before each name, as the list of steps has it.
void number_names(plot::Plot& plot, const PerformanceInput& input) {
  std::map<std::string, std::size_t> numbers;
  for (const auto& point : input.points)
    numbers.emplace(point.step, point.number > 0 ? point.number : numbers.size() + 1);
  for (Series& series : plot.series)
    if (const auto found = numbers.find(series.name); found != numbers.end() && numbers.size() > 1)
      series.name = fmt::format("{} {}", found->second, series.name);
}

std::string joined(std::string_view first, std::string_view second) {
  return fmt::format("{}{}{}", first, first.empty() || second.empty() ? "" : ". ", second);
}

// Of a chip whose multiprocessors all have work.
std::optional<double> roof_above(const PerformanceInput& input, const PerformancePoint& point) {
  if (!input.roofline || intensity(point) <= 0) return std::nullopt;
  const double from_memory = input.roofline->memory_gb_per_s * intensity(point);
  return counts_operations(input) ? std::min(input.roofline->peak_gflops, from_memory) : from_memory;
}

// Which steps have no model, and why; empty where all that were counted have one.
std::string unmodelled_note(const PerformanceInput& input) {
  std::vector<std::size_t> small;
  for (const auto& point : input.points)
    if (!fills_chip(input, point)) small.push_back(number_of(input.points, point));
  if (small.empty()) return "";
  return fmt::format("Not modelled, with {}: {} {}", too_few_blocks(input),
                     small.size() == 1 ? "step" : "steps", numbers_text(small));
}

// The series of one step and one provenance, made where it is first needed.
class Lines {
 public:
  explicit Lines(plot::Plot& plot) : plot_(plot) {}
  void add(const PerformancePoint& point, Provenance provenance, double speed, std::string tip) {
    const std::string& step = point.step;
    const auto [found, is_new] = places_.emplace(std::pair(step, provenance), plot_.series.size());
    if (is_new)
      plot_.series.push_back(
          {.id = point.id.empty() ? fmt::format("line-{}", plot_.series.size()) : id_of(point),
           .name = step,
           .provenance = provenance,
           .color = color_for(step),
           .shape = shape_for(step)});
    figures::add(plot_.series[found->second], point, point.size, speed, "", std::move(tip));
  }

 private:
  // A step keeps its colour in every kind of line.
  Color color_for(const std::string& step) {
    return step == kLibraryName ? Token::dim : theme::series(number_of(step) % kColors);
  }
  // Steps of one colour differ in their markers, and so do those of colours next to each other.
  int shape_for(const std::string& step) {
    return step == kLibraryName ? 0 : number_of(step) % kColors + number_of(step) / kColors;
  }
  int number_of(const std::string& step) {
    return numbers_.emplace(step, static_cast<int>(numbers_.size())).first->second;
  }
  static constexpr int kColors = theme::kSeriesCount - 1;  // the last one is grey, as the library is
  plot::Plot& plot_;
  std::map<std::pair<std::string, Provenance>, std::size_t> places_;
  std::map<std::string, int> numbers_;
};

Series roof_of(const PerformanceInput& input) {
  const double ridge = input.roofline->ridge();
  double low = ridge / 100, high = ridge * 40;  // names stand right of the best steps
  for (const auto& point : input.points) {
    if (intensity(point) <= 0) continue;
    low = std::min(low, intensity(point) / 2), high = std::max(high, intensity(point) * 2);
  }
  const double peak = input.roofline->peak_gflops;
  const std::string of = input.roofline->multiply_adds
                             ? "The device's peak"
                             : "Half the device's peak, as there are no multiply-adds";
  const std::string slope = fmt::format("{} GB/s of memory", plot::plain(input.roofline->memory_gb_per_s, 5));
  return {.id = "roof",
          .name = "roof",
          .provenance = Provenance::modelled,
          .color = Color{kModelledColor},
          .x = {low, ridge, high},
          .y = {input.roofline->attainable(low), peak, peak},
          .tips = {slope, of + " is reached from here on", of + ", fp32"},
          .markers = false};
}

Series steps(const char* id, Provenance provenance, Token color) {
  return {.id = id,
          .name = "steps",
          .kind = Series::Kind::points,
          .provenance = provenance,
          .color = Color{color}};
}

}  // namespace

std::string idle_words(std::uint64_t blocks, int multiprocessors) {
  const auto all = static_cast<std::uint64_t>(multiprocessors);
  if (blocks == 0 || multiprocessors <= 0 || blocks >= all) return "";
  return fmt::format("{} {} on {} SMs: {} idle", blocks, blocks == 1 ? "block" : "blocks", all, all - blocks);
}

bool fills_chip(const PerformanceInput& input, const PerformancePoint& point) {
  return !input.roofline || point.blocks == 0 ||
         point.blocks >= static_cast<std::uint64_t>(input.roofline->multiprocessors);
}

std::string too_few_blocks(const PerformanceInput& input) {
  if (std::ranges::all_of(input.points, [&](const auto& point) { return fills_chip(input, point); }))
    return "";
  return fmt::format("fewer blocks than the device's {} multiprocessors", input.roofline->multiprocessors);
}

std::optional<double> modelled_speed(const PerformanceInput& input, const PerformancePoint& point) {
  return fills_chip(input, point) ? roof_above(input, point) : std::nullopt;
}

std::string modelled_formula(const PerformanceInput& input, const PerformancePoint& point) {
  if (!roof_above(input, point)) return "";
  const device::Roofline& roof = *input.roofline;
  const std::string memory = fmt::format(
      "{} GB/s of memory × {:.3g} {}", plot::plain(roof.memory_gb_per_s, 5), intensity(point),
      counts_operations(input) ? "operations a byte of sectors" : "needed bytes a byte of sectors");
  const std::string text =
      counts_operations(input)
          ? fmt::format("The lesser of {} and {} of {} GFLOP/s", memory,
                        roof.multiply_adds ? "the peak" : "the peak without multiply-adds",
                        plot::plain(roof.peak_gflops, 5))
          : memory;
  return text + (point.counted.empty() ? "" : "\n" + point.counted);
}

plot::Plot ladder_plot(const PerformanceInput& input) {
  plot::Plot plot{
      .title = input.title, .subtitle = input.device, .horizontal = true, .chosen = chosen_id(input)};
  plot.x.scale = plot::Scale::category;
  plot.y = speed_axis(input, true);
  plot.y.low = 0;
  Series recorded = bars("recorded", "speed", Provenance::recorded, kRecordedColor);
  Series live = bars("live", "speed", Provenance::live, kLiveColor);
  Series modelled = bars("modelled", "all sectors from memory", Provenance::modelled, kModelledColor);
  Gains recorded_gains, live_gains, modelled_gains;
  double x = 0;
  for (const PerformancePoint& point : input.points) {
    const std::size_t number = number_of(input.points, point);
    plot.x.categories.push_back(input.points.size() > 1 ? fmt::format("{} {}", number, point.step)
                                                        : point.step);
    plot.x.category_ids.push_back(id_of(point));
    add(recorded, point, x, point.recorded, plot.y, number, recorded_gains);
    if (!point.recorded) recorded.labels.back() = unmeasured_words(plot.y, point);
    add(live, point, x, point.live, plot.y, number, live_gains);
    std::optional<MeasuredSpeed> model;
    if (const auto speed = modelled_speed(input, point))
      model = MeasuredSpeed{*speed, modelled_formula(input, point)};
    add(modelled, point, x, model, plot.y, number, modelled_gains);
    x += 1;
  }
  const bool any = has_values(recorded) || has_values(live);
  const Gains& told = !any ? modelled_gains : has_values(recorded) ? recorded_gains : live_gains;
  plot.caption =
      joined(input.caption, joined(gains_note(told), has_values(modelled) ? model_note(input) : ""));
  plot.caption = joined(plot.caption, unmodelled_note(input));
  // What steps gain is what was measured, where something was.
  if (any)
    for (std::string& label : modelled.labels) label = label.substr(0, label.find(", "));
  add_if_any(plot, std::move(recorded));
  add_if_any(plot, std::move(live));
  add_if_any(plot, std::move(modelled));
  explain_missing_bars(plot, input);
  add_library_line(plot, input);
  return plot;
}

plot::Plot size_plot(const PerformanceInput& input) {
  plot::Plot plot{.title = input.title, .subtitle = input.device, .chosen = chosen_id(input)};
  plot.x = {.label = "size", .scale = plot::Scale::log2};
  bool any_model = false;
  const bool measured = std::any_of(input.points.begin(), input.points.end(),
                                    [](const PerformancePoint& p) { return p.recorded || p.live; });
  plot.y = speed_axis(input, !measured);
  plot.y.low = 0;
  plot.names_at_ends = true;
  Lines lines(plot);
  for (const PerformancePoint& point : input.points) {
    if (point.recorded) lines.add(point, Provenance::recorded, point.recorded->value, point.recorded->how);
    if (point.live) lines.add(point, Provenance::live, point.live->value, point.live->how);
    // Measured curves are not filled up with modelled points.
    const auto model = measured ? std::nullopt : modelled_speed(input, point);
    if (!model) continue;
    any_model = true;
    lines.add(point, Provenance::modelled, *model, modelled_formula(input, point));
  }
  for (const auto& [size, speed] : library_speeds(input))
    lines.add({.step = kLibraryName, .size = size}, Provenance::recorded, speed.value, speed.how);
  number_names(plot, input);
  if (input.run_size)
    plot.annotations.push_back({.kind = plot::Annotation::Kind::vertical,
                                .x = *input.run_size,
                                .text = "this run, " + plot::plain(*input.run_size, 15),
                                .color = Token::accent});
  plot.caption = joined(input.caption, any_model ? model_note(input) : "");
  if (const std::string few = too_few_blocks(input); any_model && !few.empty())
    plot.caption = joined(plot.caption, "Not modelled: " + few);
  return plot;
}

plot::Plot roofline_plot(const PerformanceInput& input) {
  plot::Plot plot{.title = input.title,
                  .subtitle = input.device,
                  .caption = joined(
                      input.caption,
                      "Operations and sectors are emulated. On the roof all sectors come from memory; caches "
                      "can lift a step above it"),
                  .chosen = chosen_id(input)};
  plot.x = {.label = "operations a byte of sectors", .scale = plot::Scale::log10};
  plot.y = speed_axis(input, true);
  plot.y.scale = plot::Scale::log10;
  // Good steps crowd below the corner of the roof: the names of some stand above it.
  constexpr double above_the_roof = 4;
  plot.y.high = above_the_roof * input.roofline->peak_gflops;
  plot.series.push_back(roof_of(input));
  // From where the counts put a step to where it was measured.
  Series drops{.id = "drops", .kind = Series::Kind::links, .color = Color{Token::dim, 0.6}};
  Series counted = steps("steps", Provenance::emulated, kEmulatedColor);
  Series recorded = steps("measured", Provenance::recorded, kRecordedColor);
  Series live = steps("live", Provenance::live, kLiveColor);
  for (const auto& point : input.points) {
    const bool known = intensity(point) > 0;
    const double x = known ? intensity(point) : kNothing;
    const auto measured = [&](Series& series, const std::optional<MeasuredSpeed>& speed) {
      add(series, point, x, known && speed ? speed->value : kNothing, "",
          known && speed ? point.step + "\n" + speed->how : "");
    };
    add(counted, point, x, known ? input.roofline->attainable(x) : kNothing,
        known ? label_among(input.points, point) : "",
        known ? point.step + "\n" + modelled_formula(input, point) : "");
    measured(recorded, point.recorded);
    measured(live, point.live);
    if (const auto& reached = point.live ? point.live : point.recorded; known && reached) {
      const double roof = input.roofline->attainable(x);
      drops.x.push_back(x);
      drops.low.push_back(std::min(roof, reached->value)),
          drops.high.push_back(std::max(roof, reached->value));
      if (input.points.size() > 1)
        (point.live ? live : recorded).labels.back() = fmt::format("{}", number_of(input.points, point));
    }
  }
  add_if_any(plot, std::move(counted));
  add_if_any(plot, std::move(recorded));
  add_if_any(plot, std::move(live));
  if (!drops.x.empty()) plot.series.push_back(std::move(drops));
  return plot;
}

}  // namespace warplens::figures
