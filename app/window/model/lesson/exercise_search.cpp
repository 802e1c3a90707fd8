#include "app/window/model/lesson/exercise_search.hpp"

#include <algorithm>
#include <chrono>

namespace warplens::app {
namespace {

constexpr std::chrono::seconds kLongest{30};

// What is to be made large, where this set reaches the goal.
std::optional<double> value_of(const LessonSources& sources, const ExerciseAtStop& at,
                               const catalog::Values& parameters) {
  StopState stop = at.stop;
  stop.state.params = parameters;
  StopContext context(sources, *at.lesson, std::move(stop));
  const auto goal = context.value_of(at.exercise.goal);
  if (!goal || !lesson::is_true(*goal)) return std::nullopt;
  if (at.exercise.best.is_empty()) return 1;
  const auto value = context.value_of(at.exercise.best);
  const double* number = value ? std::get_if<double>(&*value) : nullptr;
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace

ExerciseReach reach_of(const ExerciseAtStop& at, const LessonBench& bench, const std::atomic<bool>& cancel,
                       const std::function<void(ExerciseReach)>& partial) {
  const LessonSources sources = bench.over(*at.catalog, cancel);
  ExerciseReach reach;
  const auto spec = at.catalog->find(at.stop.state.kernel);
  if (!spec) return reach;
  const auto sets = catalog::valid_parameter_sets(*spec, at.stop.state.size);
  reach.sets = sets.size();
  const auto end = std::chrono::steady_clock::now() + kLongest;
  for (const catalog::Values& set : sets) {
    if (cancel || std::chrono::steady_clock::now() > end) break;
    const std::optional<double> value = value_of(sources, at, set);
    ++reach.tried;
    if (!value) continue;
    ++reach.reached;
    reach.best = std::max(*value, reach.best.value_or(*value));
    partial(reach);
  }
  return reach;
}

}  // namespace warplens::app
