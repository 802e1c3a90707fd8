#include "app/window/model/lesson/exercise_judge.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/lesson/runs.hpp"

namespace warplens::app {

ExerciseJudge::ExerciseJudge(Model& model, std::function<void()> wake)
    : judge_(
          [devices = model.device_table(), runner = model.runner(),
           recorded = measured::Recorded(model.home() / "assets/recorded")](
              const Request& request, const std::atomic<bool>& cancel, const auto&) mutable -> Answer {
            lesson::Runs runs(*request.catalog, devices, *runner, cancel);
            const exercise::Submission submission{request.assignment->name() + ".cu", request.text};
            return exercise::judge(*request.assignment, submission,
                                   {.catalog = *request.catalog,
                                    .devices = devices,
                                    .recorded = recorded,
                                    .build = [&](const auto& wanted) { return runner->build(wanted); },
                                    .runs = [&]() -> lesson::Runs& { return runs; },
                                    .cancel = cancel});
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
