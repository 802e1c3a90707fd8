#include "viz/figures/performance/performance_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/text.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using Points = std::vector<const PerformancePoint*>;

constexpr double kClear = 0.015;   // repeated measurements differ by less
constexpr double kSettled = 0.9;   // of the best speed: larger problems bring little more
constexpr double kNearRoof = 0.6;  // of what a part allows: it is what holds the step

double speed_of(const PerformancePoint* point) { return shown_speed(*point).speed->value; }

std::string speed_words(const PerformanceInput& input, double value) {
  return plot::si(1e9 * value, 3, " ", shown_unit(input).substr(1));
}
std::string size_text(double size) { return grouped(static_cast<std::uint64_t>(size + 0.5)); }
std::string percent(double share) { return fmt::format("{} %", plot::plain(100 * share, 2)); }
std::string times(double ratio) { return plot::plain(ratio, ratio < 2 ? 3 : ratio < 10 ? 2 : 3); }

std::size_t number_of(const PerformanceInput& input, const PerformancePoint& point) {
  return point.number > 0 ? point.number : static_cast<std::size_t>(&point - input.points.data()) + 1;
}
std::string step_text(const PerformanceInput& input, const PerformancePoint& point) {
  return fmt::format("step {}, {}", number_of(input, point), point.step);
}

// The chosen step where its speed is known, else the best.
const PerformancePoint* shown_of(const PerformanceInput& input, const Points& points) {
  if (points.empty()) return nullptr;
  const auto chosen =
      std::ranges::find_if(points, [&](const auto* point) { return point->id == input.chosen; });
  return chosen != points.end() && !input.chosen.empty() ? *chosen
                                                         : *std::ranges::max_element(points, {}, speed_of);
}

// "step 7 is slower than step 6"; "step 3 is 1.5 times as fast".
std::string next_words(const PerformanceInput& input, const Points& points) {
  const auto chosen =
      std::ranges::find_if(points, [&](const auto* point) { return point->id == input.chosen; });
  if (input.chosen.empty() || chosen == points.end() || chosen + 1 == points.end() ||
      (*chosen)->problem != (*(chosen + 1))->problem)
    return "";
  const double ratio = speed_of(*(chosen + 1)) / speed_of(*chosen);
  const std::string next = fmt::format("step {}", number_of(input, **(chosen + 1)));
  if (ratio > 1 + kClear) return fmt::format("on to {}: {} times as fast", next, times(ratio));
  return fmt::format("{} is {}", next, ratio < 1 - kClear ? "slower" : "as fast");
}

std::string fix_at(device::Roof roof) {
  switch (roof) {
    case device::Roof::arithmetic:
      return "nothing: only fewer operations would be quicker";
    case device::Roof::memory:
      return "bring each element from memory once, and no more than is needed";
    case device::Roof::l1:
      return "ask for fewer sectors: keep in registers what is used again";
    case device::Roof::shared:
      break;
  }
  return "a larger tile of sums in registers: fewer loads for each operation";
}

}  // namespace

namespace {

std::vector<const PerformancePoint*> at_one_size(const PerformanceInput& input, bool measured) {
  std::map<double, std::vector<const PerformancePoint*>> by_size;
  for (const PerformancePoint& point : input.points)
    if (const ShownSpeed shown = shown_speed(point);
        shown.speed != nullptr && shown.is_measured() == measured)
      by_size[point.size].push_back(&point);
  std::vector<const PerformancePoint*> most;
  for (auto& [size, points] : by_size)
    if (points.size() >= most.size()) most = std::move(points);
  return most;
}

}  // namespace

ShownSpeed shown_speed(const PerformancePoint& point) {
  using measured::SpeedSource;
  const SpeedSource from = measured::shown_source({.live = point.live.has_value(),
                                                   .recorded = point.recorded.has_value(),
                                                   .predicted = point.predicted.has_value()});
  switch (from) {
    case SpeedSource::live:
      return {&*point.live, from};
    case SpeedSource::recorded:
      return {&*point.recorded, from};
    case SpeedSource::predicted:
      return {&*point.predicted, from};
    case SpeedSource::none:
      break;
  }
  return {};
}

std::vector<const PerformancePoint*> shown_at_one_size(const PerformanceInput& input) {
  auto measured = at_one_size(input, true), predicted = at_one_size(input, false);
  return measured.size() >= 2 || predicted.size() <= measured.size() ? measured : predicted;
}

std::string headline_of(const PerformanceInput& input) {
  const auto points = shown_at_one_size(input);
  if (points.size() < 2) return "";
  const auto speed = [](const PerformancePoint* point) { return shown_speed(*point).speed->value; };
  const auto best = std::ranges::max_element(points, {}, speed);
  std::string times = fmt::format("{:.3g} times as fast in {} steps", speed(*best) / speed(points.front()),
                                  number_of(input, **best));
  if (!shown_speed(**best).is_measured()) return times + ", by the model";
  if (!(*best)->library) return times;
  return fmt::format("{}, {:.0f} % of cuBLAS", times, 100 * speed(*best) / (*best)->library->value);
}

explain::Explanation ladder_words(const PerformanceInput& input) {
  explain::Explanation said;
  const Points points = shown_at_one_size(input);
  said.what = headline_of(input);
  if (said.what.empty() || points.size() < 2) return {};
  said.rule = explain::RuleId::of_figure;
  double most = 0;
  const PerformancePoint* best = nullptr;
  std::map<std::string, double> fastest;  // of the steps before, by what they compute
  for (const PerformancePoint* point : points) {
    double& before = fastest[point->problem];
    if (const double gain = before > 0 ? speed_of(point) / before : 0; gain > most) most = gain, best = point;
    before = std::max(before, speed_of(point));
  }
  if (best != nullptr && most > 1 + kClear)
    said.why =
        fmt::format("{}, brings most: {} times the best before it", step_text(input, *best), times(most));
  said.fix = next_words(input, points);
  return said;
}

explain::Explanation size_words(const PerformanceInput& input) {
  const PerformancePoint* shown = shown_of(input, shown_at_one_size(input));
  if (shown == nullptr) return {};
  Points own;
  for (const PerformancePoint& point : input.points)
    if (shown_speed(point).speed != nullptr && point.number == shown->number && point.step == shown->step)
      own.push_back(&point);
  if (own.size() < 2) return {};
  std::ranges::sort(own, {}, [](const auto* point) { return point->size; });
  const PerformancePoint* best = *std::ranges::max_element(own, {}, speed_of);
  const auto settled = std::ranges::find_if(
      own, [&](const auto* point) { return speed_of(point) >= kSettled * speed_of(best); });
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  const std::string at_best = fmt::format("step {} reaches {} at {}", number_of(input, *shown),
                                          speed_words(input, speed_of(best)), size_text(best->size));
  const std::string from =
      fmt::format("{} and larger: {} of the best, or more", size_text((*settled)->size), percent(kSettled));
  if (!input.run_size) {
    said.what = at_best;
    if (settled == own.begin()) return said;
    const auto* before = *(settled - 1);
    said.why = fmt::format("at {} it has {} of that, at {} {}", size_text(before->size),
                           percent(speed_of(before) / speed_of(best)), size_text((*settled)->size),
                           percent(speed_of(*settled) / speed_of(best)));
    said.fix = from;
    return said;
  }
  const PerformancePoint* here = own.front();
  for (const auto* point : own)
    if (point->size <= *input.run_size) here = point;
  const double share = speed_of(here) / speed_of(best);
  said.what = here == best ? at_best + ", its best"
                           : fmt::format("step {} has {} of its best speed at {}", number_of(input, *shown),
                                         percent(share), size_text(here->size));
  const std::string idle =
      input.roofline ? idle_words(here->blocks, input.roofline->multiprocessors) : std::string();
  said.why = here == best ? "" : idle.empty() ? at_best : idle + "; " + at_best;
  if (share < kSettled) said.fix = from;
  said.verdict = share < 0.5 ? explain::Verdict::costly : explain::Verdict::neutral;
  return said;
}

explain::Explanation roofline_words(const PerformanceInput& input) {
  const PerformancePoint* shown = shown_of(input, shown_at_one_size(input));
  if (shown == nullptr) return {};
  const auto most = bound_of(input, *shown);
  if (!most) return {};
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  const double share = std::min(1.0, speed_of(shown) / most->speed);
  said.what =
      fmt::format("step {} reaches {} of what {} allows{}", number_of(input, *shown), percent(share),
                  device::to_string(most->by), shown_speed(*shown).is_measured() ? "" : ", by the model");
  said.why =
      fmt::format("{} of at most {}", speed_words(input, speed_of(shown)), speed_words(input, most->speed));
  said.fix = share >= kNearRoof ? fix_at(most->by)
                                : "no roof is near: it waits; more warps, or more loads under way";
  said.verdict = share < 0.3 ? explain::Verdict::costly : explain::Verdict::neutral;
  return said;
}

}  // namespace warplens::figures
