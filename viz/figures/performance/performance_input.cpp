#include "viz/figures/performance/performance_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/explain/against.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

std::string time_words(double seconds) { return plot::si(seconds, 4, " ", "s"); }

// "137.4 G operations / 4.275 ms": the formula with its numbers.
std::string formula(const measured::RecordedSpeed& speed) {
  const measured::Rate rate = rate_of(speed);
  const bool operations = is_of_operations(rate.unit);
  const double work = 1e9 * rate.value * speed.seconds;
  return fmt::format("{} / {}, the median of {} launches (± {:.1g} %), verified",
                     operations ? plot::si(work, 4, " ", "") + " operations"
                                : plot::si(work, 4, " ", "B") + " that any kernel must move",
                     time_words(speed.seconds), speed.launches, 100 * speed.spread);
}

MeasuredSpeed library_speed(const measured::RecordedSpeeds& all, const measured::RecordedSpeed& one) {
  return {one.cublas_gflops,
          fmt::format("{} at {}, in turns with the step in the same run\n{}, driver {}, {}",
                      one.cublas_version, measured::size_words(one.size, measured::size_names(one.size)),
                      all.device, all.driver, all.date)};
}

// A step that a device does not run as it was asked for.
struct Departure {
  std::string values = {};    // "TILE = 20": the nearest that the device takes, where it takes any
  std::string refused = {};   // why it takes none
  std::string replaced = {};  // see run::replaced_instruction()
};
using Departures = std::map<std::size_t, Departure>;  // by the step's number

// "Nearest values that GTX 280 takes: 3 TILE = 20. Left out: ..."; empty for none.
std::string departure_words(const Departures& departures, const std::string& device) {
  std::string nearest, left_out, replaced;
  for (const auto& [number, step] : departures) {
    if (!step.replaced.empty())
      replaced += fmt::format("{}Step {}: {}", replaced.empty() ? "" : "; ", number, step.replaced);
    if (step.refused.empty() && step.values.empty()) continue;
    std::string& list = step.refused.empty() ? nearest : left_out;
    list += list.empty() ? "" : "; ";
    list += step.refused.empty() ? fmt::format("{} {}", number, step.values)
                                 : fmt::format("{} ({})", number, step.refused);
  }
  if (!nearest.empty()) nearest = fmt::format("Nearest values that {} takes: {}", device, nearest);
  if (!left_out.empty()) left_out = "Cannot run: " + left_out;
  return with_caption(with_caption(replaced, nearest), left_out);
}

// The parameters as the file has them come first; else the quickest that were found.
PlannedPoint planned_point(const LadderQuery& query, const catalog::KernelSpec& spec,
                           const catalog::Values& size) {
  catalog::Values chosen;
  for (const auto& parameter : spec.params)
    if (const auto found = query.values.find(parameter.name); found != query.values.end())
      chosen.insert(*found);
    else if (const auto set = query.set.find(parameter.name);
             spec.id == query.chosen && set != query.set.end() && set->second != parameter.default_value)
      chosen.insert(*set);
  PlannedPoint point{.plan = {.spec = spec, .sizes = size, .device = query.device}};
  const auto values_of = [&](const catalog::Values& values) {
    const auto resolved = catalog::resolve_values(spec, values, size);
    return resolved ? *resolved : catalog::default_values(spec);
  };
  point.plan.parameters = values_of(chosen);
  point.recorded = query.recorded.find(spec, size, &point.plan.parameters);
  if (point.recorded == nullptr && chosen.empty()) point.recorded = query.recorded.find(spec, size);
  if (point.recorded != nullptr) {
    point.plan.parameters = values_of(point.recorded->params);
    return point;
  }
  if (chosen.empty()) return point;
  const measured::RecordedSpeed* nearest = query.recorded.nearest(spec, size, point.plan.parameters);
  if (nearest != nullptr && nearest->size == size) point.nearest = nearest;
  return point;
}

Error no_step_runs(const std::string& why, const device::Device& device) {
  return {fmt::format("no step of it runs on {}: {}", device.name, why),
          "choose another device, or a smaller size"};
}

// That of the chosen step, else of the last one. Steps of a ladder may solve problems whose speeds are of
// different kinds, which have no axis in common.
void keep_one_unit(PerformanceInput& input, const std::string& chosen) {
  for (const PerformancePoint& point : input.points)
    if (!point.unit.empty()) input.unit = point.unit;
  const auto own = std::ranges::find_if(
      input.points, [&](const PerformancePoint& point) { return point.id == chosen && !point.unit.empty(); });
  if (own != input.points.end()) input.unit = own->unit;
  for (PerformancePoint& point : input.points) {
    if (point.unit.empty()) continue;
    if (is_of_operations(point.unit) == is_of_operations(input.unit)) {
      input.unit = common_unit(input.unit, point.unit);
      continue;
    }
    point.refused = "its speed is in " + point.unit;
    point.recorded.reset(), point.live.reset(), point.predicted.reset(), point.nearest.reset();
    point.library.reset();
  }
}

}  // namespace

std::vector<PlannedPoint> planned_points(const LadderQuery& query) {
  std::vector<PlannedPoint> points;
  for (const catalog::Values& size : query.sizes)
    for (std::size_t i = 0; i < query.steps.size(); ++i) {
      points.push_back(planned_point(query, *query.steps[i], size));
      points.back().number = i + 1;
    }
  return points;
}

Result<PerformanceInput> performance_input(const LadderQuery& query, const CountOf& count_of) {
  PerformanceInput input;
  Departures departures;
  std::string set_words;  // what the step on screen has instead of its file's values
  for (const PlannedPoint& planned : planned_points(query)) {
    const auto known = count_of(planned);
    if (!known) return known.error();
    const run::StepCount* count = known->count;
    const std::string refused = count != nullptr && !count->missing.empty() ? count->missing : known->refused;
    if (!refused.empty()) {
      // A row has room for a short reason.
      if (refused.size() > kShortReason)
        departures.try_emplace(planned.number, Departure{.refused = refused});
      PerformancePoint point = performance_point(planned.plan, query.recorded, nullptr, nullptr);
      point.number = planned.number;
      point.refused = refused;
      input.points.push_back(std::move(point));
      continue;
    }
    if (count != nullptr && count->parameters != planned.plan.parameters)
      departures.try_emplace(planned.number, Departure{.values = run::changed_words(planned.plan.parameters,
                                                                                    count->parameters)});
    if (count != nullptr && !count->replaced.empty()) departures[planned.number].replaced = count->replaced;
    PerformancePoint point = performance_point(planned.plan, query.recorded, planned.recorded, count);
    point.unit = known->live                   ? known->live_unit
                 : count != nullptr            ? count->unit
                 : planned.recorded != nullptr ? rate_of(*planned.recorded).unit
                                               : "";
    point.number = planned.number;
    point.l2_bytes = known->l2_bytes;
    point.live = known->live;
    point.limit = known->limit;
    if (count != nullptr && known->seconds > 0) point.predicted = predicted_speed(*count, known->seconds);
    const std::string own = few_words(catalog::default_values(planned.plan.spec), planned.plan.parameters);
    if (planned.plan.spec.id == query.chosen && !own.empty() && planned.nearest == nullptr)
      set_words = fmt::format("Step {} is set to {}", planned.number, own);
    if (planned.nearest != nullptr && !point.live) {
      const catalog::Values &set = planned.plan.parameters, &near = planned.nearest->params;
      point.unmeasured = few_words(near, set);
      point.nearest = measured_speed(query.recorded, *planned.nearest);
      point.nearest_values = few_words(set, near);
    }
    input.points.push_back(std::move(point));
  }
  keep_one_unit(input, query.chosen);
  const auto runs = [](const PerformancePoint& point) { return point.refused.empty(); };
  if (!input.points.empty() && std::ranges::none_of(input.points, runs))
    return no_step_runs(input.points.front().refused, query.device);
  input.caption = with_caption(set_words, departure_words(departures, query.device.name));
  return input;
}

std::string few_words(const catalog::Values& before, const catalog::Values& after) {
  std::string words = run::changed_words(before, after);
  constexpr std::size_t most = 24;
  if (words.size() <= most) return words;
  return fmt::format("{} other values", std::ranges::count(words, '='));
}

std::string with_caption(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : ". ") + second;
}

MeasuredSpeed measured_speed(const measured::RecordedSpeeds& all, const measured::RecordedSpeed& one) {
  std::string how =
      fmt::format("{}\n{}\n{}", formula(one), measured::size_words(one.size, measured::size_names(one.size)),
                  run::value_words(one.params));
  if (one.tuned) how += ", the quickest of all that are valid";
  if (one.cublas_gflops > 0)
    how += fmt::format("\n{:.3g} % of {} in the same run", 100 * one.gflops / one.cublas_gflops,
                       one.cublas_version);
  how += fmt::format("\n{}, driver {}, {}", all.device, all.driver, all.date);
  return {rate_of(one).value, std::move(how)};
}

MeasuredSpeed predicted_speed(const run::StepCount& count, double seconds) {
  const double work = count.work / count.share;
  return {1e-9 * work / seconds,
          fmt::format("{} of work / {}, predicted by the model of time\n{}", plot::si(work, 4, " ", ""),
                      time_words(seconds), run::value_words(count.parameters))};
}

PerformancePoint performance_point(const run::Plan& plan, const measured::RecordedSpeeds& all,
                                   const measured::RecordedSpeed* recorded, const run::StepCount* count) {
  PerformancePoint point{.step = plan.spec.title, .id = plan.spec.id, .problem = plan.spec.problem};
  if (!plan.sizes.empty()) point.size = static_cast<double>(plan.sizes.begin()->second);
  if (recorded != nullptr) {
    point.recorded = measured_speed(all, *recorded);
    if (recorded->cublas_gflops > 0) point.library = library_speed(all, *recorded);
  }
  if (count != nullptr) {
    point.work = count->work;
    point.operations = count->operations;
    point.are_floats = count->are_floats;
    point.tensor = count->tensor;
    point.bytes = count->bytes;
    point.wavefronts = count->wavefronts;
    point.least_bytes = count->least_bytes;
    point.share = count->share;
    point.blocks = count->blocks;
    point.counted = count->words;
    point.replaced = count->replaced;
  }
  return point;
}

Result<device::Roofline> roofline_of(const device::Device& device, bool multiply_adds) {
  auto roof = device::roofline(device, multiply_adds);
  if (!roof) return roof;
  roof->l2_gb_per_s = time::l2_gb_per_s(device);
  roof->tensor_gflops = time::tensor_gflops(device);
  return roof;
}

}  // namespace warplens::figures
