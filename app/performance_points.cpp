#include "app/performance_points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

std::string time_words(double seconds) { return plot::si(seconds, 4, " ", "s"); }

// "137.4 G operations / 4.275 ms": the formula with its numbers.
std::string formula(const RecordedSpeed& speed) {
  const Rate rate = rate_of(speed);
  const bool operations = rate.unit == "GFLOP/s";
  const double work = 1e9 * rate.value * speed.seconds;
  return fmt::format("{} / {}, the median of {} launches (± {:.1g} %), verified",
                     operations ? plot::si(work, 4, " ", "") + " operations"
                                : plot::si(work, 4, " ", "B") + " that any kernel must move",
                     time_words(speed.seconds), speed.launches, 100 * speed.spread);
}

figures::MeasuredSpeed library_speed(const RecordedSpeeds& all, const RecordedSpeed& one) {
  return {one.cublas_gflops, fmt::format("{}, in turns with the step in the same run\n{}, driver {}, {}",
                                         one.cublas_version, all.chip, all.driver, all.date)};
}

}  // namespace

StepCount step_count(const RunPlan& plan, const problem::Instance& instance,
                     const session::Emulation& emulation) {
  const auto& counters = emulation.outcome.counters;
  const double share =
      static_cast<double>(counters.blocks_run) / static_cast<double>(emulation.blocks_in_grid);
  StepCount count{.work = instance.operations() > 0 ? emulation.operations : instance.least_bytes() * share,
                  .bytes = 32.0 * static_cast<double>(counters.global_load.cost + counters.global_store.cost +
                                                      counters.global_atomic.cost),
                  .blocks = emulation.blocks_in_grid,
                  .unit = unit_of(instance),
                  .words = fmt::format("Counted in the emulator with {}", value_words(plan.parameters)),
                  .parameters = plan.parameters};
  if (emulation.is_sampled())
    count.words +=
        fmt::format("; {} of {} blocks ran", plot::plain(static_cast<double>(counters.blocks_run), 15),
                    plot::plain(static_cast<double>(emulation.blocks_in_grid), 15));
  return count;
}

std::string departure_words(const std::vector<Departure>& departures, const std::string& chip) {
  std::string nearest, left_out;
  for (const Departure& step : departures) {
    std::string& list = step.refused.empty() ? nearest : left_out;
    list += list.empty() ? "" : "; ";
    list += step.refused.empty() ? fmt::format("{} {}", step.number, step.values)
                                 : fmt::format("{} ({})", step.number, step.refused);
  }
  if (!nearest.empty()) nearest = fmt::format("Nearest values that {} takes: {}", chip, nearest);
  if (!left_out.empty()) left_out = "Left out: " + left_out;
  return nearest + (nearest.empty() || left_out.empty() ? "" : ". ") + left_out;
}

std::string value_words(const catalog::Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

figures::MeasuredSpeed measured_speed(const RecordedSpeeds& all, const RecordedSpeed& one) {
  std::string how = formula(one) + "\n" + value_words(one.params);
  if (one.tuned) how += ", the quickest of all that are legal";
  if (one.cublas_gflops > 0)
    how += fmt::format("\n{:.3g} % of {} in the same run", 100 * one.gflops / one.cublas_gflops,
                       one.cublas_version);
  how += fmt::format("\n{}, driver {}, {}", all.chip, all.driver, all.date);
  return {rate_of(one).value, std::move(how)};
}

figures::PerformancePoint performance_point(const RunPlan& plan, const RecordedSpeeds& all,
                                            const RecordedSpeed* recorded, const StepCount* count) {
  figures::PerformancePoint point{.step = plan.spec.title, .id = plan.spec.id};
  if (!plan.sizes.empty()) point.size = static_cast<double>(plan.sizes.begin()->second);
  if (recorded != nullptr) {
    point.recorded = measured_speed(all, *recorded);
    if (recorded->cublas_gflops > 0) point.library = library_speed(all, *recorded);
  }
  if (count != nullptr) {
    point.work = count->work;
    point.bytes = count->bytes;
    point.blocks = count->blocks;
    point.counted = count->words;
  }
  return point;
}

std::optional<Error> why_too_small(const figures::PerformanceInput& input) {
  const std::string few = figures::too_few_blocks(input);
  if (few.empty()) return std::nullopt;
  return Error{"no speed is recorded or modelled: the grids have " + few, "choose a larger size"};
}

std::string unit_of(const problem::Instance& instance) {
  return instance.operations() > 0 ? "GFLOP/s" : "GB/s";
}

}  // namespace warplens::app
