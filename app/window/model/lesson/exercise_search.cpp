#include "app/window/model/lesson/exercise_search.hpp"

#include <algorithm>
#include <chrono>

#include "app/lesson/stop_context.hpp"
#include "engine/lesson/runs.hpp"

namespace warplens::app {
namespace {

using Found = ExerciseSearch::Found;
constexpr std::chrono::seconds kLongest{30};

// What is to be made large, where this set reaches the goal.
std::optional<double> value_of(const LessonSources& sources, const ExerciseSearch::Request& request,
                               const catalog::Values& parameters) {
  StopState stop = request.stop;
  stop.state.params = parameters;
  StopContext context(sources, *request.lesson, std::move(stop));
  const auto goal = context.value_of(request.exercise.goal);
  if (!goal || !lesson::is_true(*goal)) return std::nullopt;
  if (request.exercise.best.is_empty()) return 1;
  const auto value = context.value_of(request.exercise.best);
  const double* number = value ? std::get_if<double>(&*value) : nullptr;
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace

ExerciseSearch::ExerciseSearch(std::filesystem::path data, device::DeviceTable devices,
                               std::shared_ptr<run::Runner> runner, std::function<void()> wake)
    : search_(
          [data, devices = std::move(devices), runner = std::move(runner),
           recorded = measured::Recorded(data / "assets/recorded")](
              const Request& request, const std::atomic<bool>& cancel, const auto& partial) mutable {
            lesson::Runs runs(*request.catalog, devices, *runner, cancel);
            const LessonSources sources{data, *request.catalog, devices, recorded, runs};
            Found found;
            const auto spec = request.catalog->find(request.stop.state.kernel);
            if (!spec) return found;
            const auto sets = catalog::valid_parameter_sets(*spec, request.stop.state.size);
            found.sets = sets.size();
            const auto end = std::chrono::steady_clock::now() + kLongest;
            for (const catalog::Values& set : sets) {
              if (cancel || std::chrono::steady_clock::now() > end) break;
              const std::optional<double> value = value_of(sources, request, set);
              ++found.tried;
              if (!value) continue;
              ++found.reached;
              found.best = std::max(*value, found.best.value_or(*value));
              partial(found);
            }
            return found;
          },
          std::move(wake)) {}

}  // namespace warplens::app
