#include "app/window/pages/edit/edit_checks.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "engine/run/checked/checked_run.hpp"

namespace warplens::app {
namespace {

// While hands go on typing nobody waits for findings, and they would keep the next picture waiting.
constexpr int kTurnsOfRest = 12;  // times 10 ms

}  // namespace

EditChecks::EditChecks(std::shared_ptr<run::Runner> runner, std::function<void()> wake)
    : checks_(
          [runner = std::move(runner)](const run::SharedRun& run, const std::atomic<bool>& cancel,
                                       const auto&) -> std::optional<Answer> {
            for (int i = 0; i < kTurnsOfRest && !cancel; ++i)
              std::this_thread::sleep_for(std::chrono::milliseconds(10));
            if (cancel) return std::nullopt;
            run::give_way();  // the next picture comes first
            return Answer{run, run::run_checked(*run->job)};
          },
          std::move(wake)) {}

void EditChecks::ask(const run::SharedRun& run) {
  if (asked_ == run) return;
  asked_ = run;
  if (run == nullptr || !run->complete || run->job == nullptr)
    checks_.cancel();
  else
    checks_.submit(run);
}

bool EditChecks::take() {
  auto answer = checks_.poll();
  if (!answer || !*answer) return false;
  error_.reset();
  if (!(*answer)->checked) error_ = (*answer)->checked.error();
  answer_ = *std::move(*answer);
  return true;
}

void EditChecks::tell(const Learn& learn) {
  if (!answer_ || !answer_->checked || answer_->of != asked_) return;
  asked_ = answer_->of = learn(answer_->of, (*answer_->checked)->report);
}

const run::Report* EditChecks::report(const run::Run* run) const {
  if (run == nullptr || !answer_ || answer_->of.get() != run || !answer_->checked) return nullptr;
  return &(*answer_->checked)->report;
}

}  // namespace warplens::app
