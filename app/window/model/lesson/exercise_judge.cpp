#include "app/window/model/lesson/exercise_judge.hpp"

#include <fmt/format.h>

#include <utility>

namespace warplens::app {

ExerciseJudge::ExerciseJudge(SharedBench bench, std::function<void()> wake)
    : judge_(
          [bench = std::move(bench)](const Request& request, const std::atomic<bool>& cancel,
                                     const auto&) -> Answer {
            return exercise::judge(
                *request.assignment, {request.assignment->name() + ".cu", request.text},
                {*request.catalog, bench->devices, *bench->recorded, *bench->runner, cancel});
          },
          std::move(wake)) {}

void ExerciseJudge::judge(Request request) {
  most_seconds_ = request.assignment->seconds;
  judge_.submit(std::move(request));
}

std::optional<ExerciseJudge::Answer> ExerciseJudge::poll() {
  if (auto answer = judge_.poll()) return answer;
  const auto busy = judge_.busy_seconds();
  if (!busy || *busy < most_seconds_) return std::nullopt;
  judge_.cancel();
  return exercise::refused("it can be judged",
                           fmt::format("it takes longer than {:.0f} seconds", most_seconds_),
                           "look for a loop without an end");
}

}  // namespace warplens::app
