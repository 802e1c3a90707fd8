#include "viz/figures/performance/performance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using plot::Provenance, plot::Series, scene::Color, scene::Token;

// What a bound is of.
std::string bound_note(const PerformanceInput& input) {
  const bool half = input.roofline && !input.roofline->multiply_adds && is_of_operations(input.unit);
  const bool caches = !input.roofline || input.roofline->caches;
  const bool in_bytes = !is_of_operations(input.unit);
  return fmt::format("At most: the slowest of arithmetic{}, {}shared memory, and memory that moves {}",
                     half ? " (half the peak, as there are no multiply-adds)" : "", caches ? "L1, " : "",
                     !caches    ? "every sector"
                     : in_bytes ? "each buffer once"
                                : "each buffer once, less what L2 keeps");
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

// Fast results are written in thousands of the unit: TFLOP/s, TB/s.
constexpr double kFast = 10'000;

// bounds: they are shown too.
plot::Axis speed_axis(const PerformanceInput& input, bool bounds) {
  double highest = 0;
  for (const auto& point : input.points) {
    for (const auto* speed : {&point.recorded, &point.live, &point.predicted, &point.library})
      if (*speed) highest = std::max(highest, (*speed)->value);
    if (const auto most = bound_of(input, point); bounds && most) highest = std::max(highest, most->speed);
  }
  if (highest < kFast) return {.label = input.unit};
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
// 10". x: of every point, 0 where it has none.
std::string label_among(const std::vector<PerformancePoint>& points, const std::vector<double>& x,
                        std::size_t i) {
  std::vector<std::size_t> near;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (x[k] > 0 && std::abs(std::log(x[k] / x[i])) < 0.15) near.push_back(number_of(points, points[k]));
  if (near.front() != number_of(points, points[i])) return "";
  if (points.size() == 1) return points[i].step;
  const std::string own = fmt::format("{} {}", near.front(), points[i].step);
  near.erase(near.begin());
  return near.empty() ? own : fmt::format("{} · {}", own, numbers_text(near));
}

// The same where few names have room: that of the chosen step, and of the others the number.
std::string label_in_roofline(const PerformanceInput& input, const std::vector<double>& x, std::size_t i) {
  constexpr std::size_t few = 4;
  if (!is_brief(input.look) || input.points.size() <= few) return label_among(input.points, x, i);
  const PerformancePoint& point = input.points[i];
  const std::size_t number = number_of(input.points, point);
  return point.id == input.chosen ? fmt::format("{} {}", number, point.step) : fmt::format("{}", number);
}

// What a speed is compared with: the first one of the same problem, and the one of the step before.
struct Gains {
  std::string problem = {};
  double first = 0, before = 0;
  std::size_t first_number = 0, before_number = 0;
};

std::string times(double value, double other, std::size_t number) {
  return fmt::format("{}× step {}", plot::plain(value / other, 3), number);
}

// A number, and how many times that of the first step it is: "17.3 · 34.6× step 1".
std::string label_of(const plot::Axis& axis, double value, const Gains& gains) {
  const std::string label = short_speed(axis, value);
  return gains.first > 0 ? label + " · " + times(value, gains.first, gains.first_number) : label;
}

// For the pointer: the same of the step before, where that is not the first one.
std::string tip_of(const MeasuredSpeed& speed, const Gains& gains) {
  if (!(gains.before > 0) || gains.before_number == gains.first_number) return speed.how;
  return speed.how + "\n" + times(speed.value, gains.before, gains.before_number);
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
  if (gains.problem != point.problem) gains = {.problem = point.problem};
  if (!speed) return add(series, point, x, kNothing, "", "");
  add(series, point, x, speed->value, label_of(axis, speed->value, gains), tip_of(*speed, gains));
  if (!(gains.first > 0)) gains.first = speed->value, gains.first_number = number;
  gains.before = speed->value, gains.before_number = number;
}

// "not measured with PAD = 0; with PAD = 1 2,682": neither a bar nor a number of what is set.
std::string unmeasured_words(const plot::Axis& axis, const PerformancePoint& point) {
  if (!point.refused.empty())
    return "cannot run" + (point.refused.size() <= kShortReason ? ": " + point.refused : ", see below");
  if (point.unmeasured.empty()) return "";
  const std::string near =
      point.nearest
          ? fmt::format("; {} with {}", short_speed(axis, point.nearest->value), point.nearest_values)
          : "";
  return "not measured with " + point.unmeasured + near;
}

// "; plain copies run here": what stands in for the instructions that the step is about.
std::string replaced_words(const PerformancePoint& point) {
  const std::size_t colon = point.replaced.find(": ");
  return colon == std::string::npos ? "" : "; " + point.replaced.substr(colon + 2);
}

bool has_values(const Series& series) {
  return std::any_of(series.y.begin(), series.y.end(), [](double y) { return !std::isnan(y); });
}

void add_if_any(plot::Plot& plot, Series series) {
  if (has_values(series)) plot.series.push_back(std::move(series));
}

// At each size what the library reached in the run of the quickest step, of which the headline says a share. Runs differ by
// what the clock did.
std::map<double, MeasuredSpeed> library_speeds(const PerformanceInput& input) {
  std::map<double, const PerformancePoint*> quickest;
  for (const auto& point : input.points) {
    if (!point.library || !point.recorded) continue;
    const PerformancePoint*& best = quickest[point.size];
    if (best == nullptr || point.recorded->value > best->recorded->value) best = &point;
  }
  std::map<double, MeasuredSpeed> speeds;
  for (const auto& [size, point] : quickest) speeds.emplace(size, *point->library);
  return speeds;
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

// What is predicted of a step that was measured at other sizes has its colour, and no second name.
void name_once(plot::Plot& plot) {
  for (Series& series : plot.series)
    if (series.provenance == Provenance::modelled &&
        std::ranges::any_of(plot.series, [&](const Series& other) {
          return other.provenance != Provenance::modelled && other.name == series.name;
        }))
      series.name.clear();
}

// Under a curve over sizes.
constexpr std::string_view kPredictedNote = "Hollow and dashed: predicted by the model of time";

std::string joined(std::string_view first, std::string_view second) {
  return fmt::format("{}{}{}", first, first.empty() || second.empty() ? "" : ". ", second);
}

// "Some of the 132 SMs have no block: steps 5 to 10, 16 blocks"; empty where all have one.
std::string idle_note(const PerformanceInput& input) {
  std::vector<std::size_t> numbers;
  std::uint64_t fewest = 0, most = 0;
  for (const auto& point : input.points) {
    if (!input.roofline || idle_words(point.blocks, input.roofline->multiprocessors).empty()) continue;
    numbers.push_back(number_of(input.points, point));
    fewest = fewest == 0 ? point.blocks : std::min(fewest, point.blocks);
    most = std::max(most, point.blocks);
  }
  if (numbers.empty()) return "";
  const std::string blocks =
      fewest == most ? plot::plain(static_cast<double>(most), 15) : fmt::format("{} to {}", fewest, most);
  return fmt::format("Some of the {} SMs are idle: {} {} {} {} {}", input.roofline->multiprocessors,
                     numbers.size() == 1 ? "step" : "steps", numbers_text(numbers),
                     numbers.size() == 1 ? "has" : "have", blocks, most == 1 ? "block" : "blocks");
}

// For ladders with more steps than a theme has colours; each has a contrast of 3 to the grounds of both.
constexpr theme::Rgba kMoreColors[] = {theme::rgb(0x9a6bdc), theme::rgb(0x6a9634), theme::rgb(0xa97a4a),
                                       theme::rgb(0xd357c0), theme::rgb(0x2b90a8), theme::rgb(0xcf5844),
                                       theme::rgb(0x757bc4)};

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
    if (step == kLibraryName) return Token::dim;
    const int number = number_of(step);
    if (number < kColors) return theme::series(number);
    return kMoreColors[static_cast<std::size_t>(number - kColors) % std::size(kMoreColors)];
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

// A level of memory: what it gives, and where steps stand below it.
struct Level {
  const char* id;
  std::string name, traffic;  // traffic: of a step, by which it stands below this roof
  double gb_per_s;
  Color color;
  std::vector<double> x;  // of every point; 0: nothing passes it
};

// The busier side first, where steps have their names: what passes on chip where there are caches.
std::vector<Level> levels_of(const PerformanceInput& input) {
  const device::Roofline& roof = *input.roofline;
  // In one unit, so that a class sees how many times one is the other: that of the slowest.
  const bool is_fast = roof.memory_gb_per_s >= 1000;
  const auto rate = [&](double gb_per_s) {
    return is_fast ? plot::plain(gb_per_s / 1000, 3) + " TB/s" : plot::plain(gb_per_s, 5) + " GB/s";
  };
  Level memory{
      "roof",
      "memory, " + rate(roof.memory_gb_per_s),
      roof.caches ? "each buffer once, less what L2 can keep" : "its sectors, which all come from memory",
      roof.memory_gb_per_s,
      Color{kModelledColor},
      {}};
  const bool l1 = roof.caches && roof.l1_gb_per_s > 0;
  Level on_chip{
      "roof-chip",
      fmt::format("{}, {}", l1 ? "L1 and shared" : "shared memory", rate(chip_rate(roof))),
      l1 ? "what L1 or shared memory pass for it, whichever is busier" : "what shared memory passes for it",
      chip_rate(roof),
      Color{Token::series_5},
      {}};
  Level l2{"roof-l2",
           "L2, " + rate(roof.l2_gb_per_s),
           "what passes L2 by the model of time, at 95 sectors a cycle",
           roof.l2_gb_per_s,
           Color{Token::series_3},
           {}};
  for (const auto& point : input.points) {
    const Intensities at = intensities_of(roof, point);
    memory.x.push_back(at.memory), on_chip.x.push_back(at.on_chip), l2.x.push_back(at.l2);
  }
  const auto has_points = [](const Level& level) {
    return std::ranges::any_of(level.x, [](double x) { return x > 0; });
  };
  std::vector<Level> levels;
  if (roof.caches && on_chip.gb_per_s > 0 && has_points(on_chip)) levels.push_back(on_chip);
  if (l2.gb_per_s > 0 && has_points(l2)) levels.push_back(l2);
  levels.push_back(memory);
  if (!roof.caches && on_chip.gb_per_s > 0 && has_points(on_chip)) levels.push_back(on_chip);
  return levels;
}

std::pair<double, double> extent_of(const PerformanceInput& input, const std::vector<Level>& levels) {
  const double ridge = peaks_of(input).front().gflops / input.roofline->memory_gb_per_s;
  double low = ridge, high = ridge;
  for (const Level& level : levels)
    for (const double x : level.x)
      if (x > 0) low = std::min(low, x / 2), high = std::max(high, x * 2);
  return {low, high * 4};  // names stand right of the best steps
}

Series roof_of(const PerformanceInput& input, const Level& level, double low, double high) {
  const Peak highest = peaks_of(input).front();
  const double peak = highest.gflops, ridge = peak / level.gb_per_s;
  const bool is_half = !input.roofline->multiply_adds && peak == input.roofline->peak_gflops;
  const std::string of =
      is_half ? "Half the device’s peak, as there are no multiply-adds" : "The device’s peak";
  Series roof{.id = level.id,
              .name = level.name,
              .provenance = Provenance::modelled,
              .color = level.color,
              .markers = false};
  const auto add_corner = [&](double x, const std::string& tip) {
    roof.x.push_back(x), roof.y.push_back(std::min(peak, level.gb_per_s * x)), roof.tips.push_back(tip);
  };
  add_corner(low, fmt::format("{}\nA step stands at its traffic: {}", level.name, level.traffic));
  if (ridge > low && ridge < high) add_corner(ridge, of + " is reached from here on");
  add_corner(high, of + ", " + highest.of);
  return roof;
}

// The same with speeds in operations, whatever the ladder tells them in.
PerformanceInput in_operations(PerformanceInput input) {
  if (is_of_operations(input.unit)) return input;
  for (PerformancePoint& point : input.points) {
    const double operations_a_byte = point.work > 0 ? point.operations / point.work : 0;
    for (auto* speed : {&point.recorded, &point.live, &point.predicted, &point.nearest})
      if (*speed) (*speed)->value *= operations_a_byte;
    point.work = point.operations;
  }
  input.unit = kFloatingPoint;
  return input;
}

Series steps(const char* id, Provenance provenance, Token color) {
  return {.id = id,
          .name = "steps",
          .kind = Series::Kind::points,
          .provenance = provenance,
          .color = Color{color}};
}

}  // namespace

// Which steps solve the same problem, where not all of them do.
std::string problems_note(const PerformanceInput& input) {
  std::vector<std::string> groups;
  const auto& points = input.points;
  for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
    while (end < points.size() && points[end].problem == points[first].problem) ++end;
    const std::size_t from = number_of(points, points[first]), to = number_of(points, points[end - 1]);
    groups.push_back(from == to ? fmt::format("{}", from) : fmt::format("{} to {}", from, to));
  }
  if (groups.size() < 2) return "";
  std::string all;
  for (const std::string& group : groups) all += (all.empty() ? "" : "; ") + group;
  return fmt::format("Steps {} compute different things: compare bars within each of these", all);
}

plot::Plot ladder_plot(const PerformanceInput& input) {
  plot::Plot plot{
      .title = input.title, .subtitle = input.device, .horizontal = true, .chosen = chosen_id(input)};
  plot.x.scale = plot::Scale::category;
  plot.y = speed_axis(input, true);
  plot.y.low = 0;
  Series recorded = bars("recorded", "speed", Provenance::recorded, kRecordedColor);
  Series live = bars("live", "speed", Provenance::live, kLiveColor);
  Series predicted = bars("predicted", "predicted", Provenance::modelled, kModelledColor);
  Series bounds = bars("bound", "at most", Provenance::modelled, kModelledColor);
  bounds.kind = Series::Kind::marks;
  Gains recorded_gains, live_gains, predicted_gains;
  double x = 0;
  for (const PerformancePoint& point : input.points) {
    const std::size_t number = number_of(input.points, point);
    plot.x.categories.push_back(input.points.size() > 1 ? fmt::format("{} {}", number, point.step)
                                                        : point.step);
    plot.x.category_ids.push_back(id_of(point));
    add(recorded, point, x, point.recorded, plot.y, number, recorded_gains);
    add(live, point, x, point.live, plot.y, number, live_gains);
    const ShownSpeed shown = shown_speed(point);
    const bool is_predicted = shown.speed != nullptr && !shown.is_measured();
    add(predicted, point, x, is_predicted ? point.predicted : std::nullopt, plot.y, number, predicted_gains);
    if (is_predicted)
      predicted.labels.back() +=
          (point.unmeasured.empty() ? "" : " with " + point.unmeasured) + replaced_words(point);
    else if (!point.recorded)
      recorded.labels.back() = unmeasured_words(plot.y, point);
    const auto most = bound_of(input, point);
    const bool alone = shown.speed == nullptr && point.unmeasured.empty();
    add(bounds, point, x, most ? most->speed : kNothing,
        most && alone ? "at most " + short_speed(plot.y, most->speed) + replaced_words(point) : "",
        bound_formula(input, point));
    x += 1;
  }
  plot.caption = joined(problems_note(input), input.caption);
  plot.caption = joined(plot.caption, has_values(bounds) ? bound_note(input) : "");
  plot.caption = joined(plot.caption, has_values(recorded) || has_values(live) ? "" : no_bound_note(input));
  plot.caption = joined(plot.caption, idle_note(input));
  // Where one step of all is not measured its row says so, in the series of those that are.
  const bool says = std::ranges::any_of(recorded.labels, [](const auto& label) { return !label.empty(); });
  // Without a bar each mark says what it is, and a legend would only lie on them.
  if (!has_values(recorded)) recorded.name.clear();
  if (!has_values(recorded) && !has_values(live) && !has_values(predicted)) bounds.name.clear();
  if (says) plot.series.push_back(std::move(recorded));
  add_if_any(plot, std::move(live));
  add_if_any(plot, std::move(predicted));
  add_if_any(plot, std::move(bounds));
  add_library_line(plot, input);
  return plot;
}

// A line far above all others would press them together at the bottom.
bool is_near_library(const PerformanceInput& input) {
  constexpr double kNear = 0.25;
  double step = 0, library = 0;
  for (const auto& point : input.points) {
    if (point.recorded) step = std::max(step, point.recorded->value);
    if (point.library) library = std::max(library, point.library->value);
  }
  return step >= kNear * library;
}

// "cuBLAS is far above: 51.6 TFLOP/s at 4,096".
std::string library_note(const plot::Axis& axis, const std::map<double, MeasuredSpeed>& speeds) {
  const auto best = std::ranges::max_element(speeds, {}, [](const auto& each) { return each.second.value; });
  return fmt::format("{} is far above: {} {} at {}", kLibraryName, short_speed(axis, best->second.value),
                     axis.label, plot::plain(best->first, 15));
}

plot::Plot size_plot(const PerformanceInput& of_all) {
  PerformanceInput input = of_all;
  const std::map<double, MeasuredSpeed> far =
      is_near_library(input) ? std::map<double, MeasuredSpeed>{} : library_speeds(input);
  if (!far.empty())
    for (PerformancePoint& point : input.points) point.library.reset();
  plot::Plot plot{.title = input.title, .subtitle = input.device, .chosen = chosen_id(input)};
  plot.x = {.label = "size", .scale = plot::Scale::log2};
  plot.y = speed_axis(input, false);
  plot.y.low = 0;
  plot.names_at_ends = true;
  Lines lines(plot);
  bool any_predicted = false;
  for (const PerformancePoint& point : input.points) {
    if (point.recorded) lines.add(point, Provenance::recorded, point.recorded->value, point.recorded->how);
    if (point.live) lines.add(point, Provenance::live, point.live->value, point.live->how);
    const ShownSpeed shown = shown_speed(point);
    if (shown.speed == nullptr || shown.is_measured()) continue;
    any_predicted = true;
    lines.add(point, Provenance::modelled, shown.speed->value, shown.speed->how);
  }
  for (const auto& [size, speed] : library_speeds(input))
    lines.add({.step = kLibraryName, .size = size}, Provenance::recorded, speed.value, speed.how);
  number_names(plot, input);
  name_once(plot);
  if (input.run_size)
    plot.annotations.push_back(
        {.kind = plot::Annotation::Kind::vertical,
         .x = *input.run_size,
         .text = (input.marks_run ? "this run, " : "") + plot::plain(*input.run_size, 15),
         .color = Token::accent});
  plot.caption = joined(input.caption, any_predicted ? std::string(kPredictedNote) : "");
  if (!far.empty()) plot.caption = joined(plot.caption, library_note(plot.y, far));
  return plot;
}

bool has_l2(const PerformanceInput& input) {
  return input.roofline->l2_gb_per_s > 0 &&
         std::ranges::any_of(input.points, [](const auto& point) { return point.l2_bytes > 0; });
}

plot::Plot roofline_plot(const PerformanceInput& of_any_unit) {
  const PerformanceInput input = in_operations(of_any_unit);
  const bool caches = input.roofline->caches;
  plot::Plot plot{
      .title = input.title,
      .subtitle = input.device,
      .caption = joined(
          input.caption,
          caches ? fmt::format("Steps stand at their emulated traffic: of L1 or shared memory{} and of "
                               "memory",
                               has_l2(input) ? ", of L2 (by the model)" : "")
                 : "Steps stand at their emulated traffic: of memory, from which all sectors come, "
                   "and of shared memory"),
      .chosen = chosen_id(input)};
  plot.x = {.label = "operations a byte", .scale = plot::Scale::log10};
  plot.y = speed_axis(input, true);
  plot.y.scale = plot::Scale::log10;
  // Good steps crowd below the corner of the roof: the names of some stand above it.
  constexpr double above_the_roof = 4;
  const std::vector<Peak> peaks = peaks_of(input);
  plot.y.high = above_the_roof * peaks.front().gflops;
  const std::vector<Level> levels = levels_of(input);
  const auto [low, high] = extent_of(input, levels);
  for (const Level& level : levels) plot.series.push_back(roof_of(input, level, low, high));
  // Of what cannot do as much: a ceiling below the roof.
  const bool is_plain = peaks.size() == 1 && peaks.front().gflops == input.roofline->peak_gflops;
  for (const Peak& peak : peaks)
    if (!is_plain)
      plot.annotations.push_back(
          {.kind = plot::Annotation::Kind::horizontal,
           .y = peak.gflops,
           .text =
               fmt::format("{}, {} T{}", peak.of, plot::plain(peak.gflops / 1000, 3), input.unit.substr(1)),
           .color = Token::dim});
  // From where a step was measured up to its roof.
  Series drops{.id = "drops", .kind = Series::Kind::links, .color = Color{Token::dim, 0.75}};
  Series counted = steps("steps", Provenance::emulated, kEmulatedColor);
  counted.name = "at most";
  Series predicted = steps("predicted", Provenance::modelled, kModelledColor);
  predicted.name = "predicted";
  for (const Level& level : levels) {
    const bool is_main = &level == &levels.front();
    Series recorded = steps("measured", Provenance::recorded, kRecordedColor);
    Series live = steps("live", Provenance::live, kLiveColor);
    if (!is_main) {
      const std::string place = level.name.substr(0, level.name.find(','));
      for (Series* series : {&recorded, &live})
        series->name = "at " + place, series->id += place == "L2" ? "-l2" : "-second",
        series->shape = place == "L2" ? 2 : 1;
    }
    for (std::size_t i = 0; i < input.points.size(); ++i) {
      const PerformancePoint& point = input.points[i];
      const bool known = level.x[i] > 0;
      const double x = known ? level.x[i] : kNothing;
      const ShownSpeed shown = shown_speed(point);
      const MeasuredSpeed* reached = shown.is_measured() ? shown.speed : nullptr;
      // Names where the busier side is; their numbers at the other one.
      const std::string name = !known    ? ""
                               : is_main ? label_in_roofline(input, level.x, i)
                                         : fmt::format("{}", number_of(input.points, point));
      const auto measured = [&](Series& series, const std::optional<MeasuredSpeed>& speed) {
        const bool is_named = speed && speed->value == reached->value;
        add(series, point, x, known && speed ? speed->value : kNothing, is_named ? name : "",
            known && speed ? point.step + "\n" + speed->how : "");
      };
      measured(recorded, point.recorded);
      measured(live, point.live);
      const bool is_predicted = shown.speed != nullptr && reached == nullptr;
      if (is_main && is_predicted)
        add(predicted, point, x, known ? shown.speed->value : kNothing, name,
            point.step + "\n" + shown.speed->how);
      if (const auto most = bound_of(input, point); is_main && !is_predicted)
        add(counted, point, x, known && most && !reached ? most->speed : kNothing, reached ? "" : name,
            point.step + "\n" + bound_formula(input, point));
      if (!known || !reached) continue;
      drops.x.push_back(x);
      drops.low.push_back(reached->value);
      drops.high.push_back(std::max(reached->value, std::min(peak_of(input, point), level.gb_per_s * x)));
    }
    add_if_any(plot, std::move(recorded));
    add_if_any(plot, std::move(live));
  }
  add_if_any(plot, std::move(predicted));
  add_if_any(plot, std::move(counted));
  if (!drops.x.empty()) plot.series.push_back(std::move(drops));
  return plot;
}

}  // namespace warplens::figures
