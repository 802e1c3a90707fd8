#include "app/window/model/runs/judged_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/run/build_queue.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/checked/seen.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t kMostChecksKept = 64;
constexpr std::chrono::milliseconds kTurn{10};
// While hands go on moving nobody waits for findings, and they would keep the next picture waiting.
constexpr int kTurnsOfRest = 12;

void pause_for(int turns, const std::atomic<bool>& cancel) {
  for (int i = 0; i < turns && !cancel; ++i) std::this_thread::sleep_for(kTurn);
}

SharedCheck find_findings(const run::Run& run, const run::CompilePlan& compile,
                          const std::atomic<bool>& cancel) {
  const auto checked = run::run_checked(*run.job, false, &cancel);
  if (cancel) return nullptr;
  if (!checked) return std::make_shared<const Result<run::Report>>(checked.error());
  run::Report report = (*checked)->report;
  run::add_other_kernels(*run.job, compile, report, &cancel);
  if (cancel) return nullptr;
  return std::make_shared<const Result<run::Report>>(std::move(report));
}

run::SharedRun as_known(const run::Run& run, const SharedCheck& known) {
  if (known == nullptr) return run::being_checked(run);
  return *known ? run::with_findings(run, **known) : run::unchecked(run, known->error());
}

}  // namespace

std::optional<Error> stop_of(const run::Run& judged) {
  const check::Findings& found = judged.report.findings;
  if (!judged.fault || found.empty() || found.front().severity == check::Severity::information)
    return judged.fault;
  const check::Finding& first = found.front();  // what explains the others, see check::sort_by_cause
  return Error{first.message, first.fix, {first.file, first.line, 0}};
}

std::string Checks::key_of(const run::Run& run) {
  const run::Plan& plan = run.plan();
  return fmt::format("{} {} {} {} {}", plan.spec.path, run.source, plan.device.id,
                     run::value_words(plan.parameters), run::value_words(plan.sizes));
}

SharedCheck Checks::kept(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  return found == kept_.end() ? nullptr : found->check;
}

bool Checks::begin(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(at_work_, key) != at_work_.end()) return false;
  at_work_.push_back(key);
  return true;
}

void Checks::end(const std::string& key, SharedCheck check) {
  const std::lock_guard lock(mutex_);
  std::erase(at_work_, key);
  if (check == nullptr) return;
  kept_.push_front({key, std::move(check)});
  if (kept_.size() > kMostChecksKept) kept_.pop_back();
}

SharedCheck Checks::of(const run::Run& run, const std::string& key, const std::atomic<bool>& cancel) {
  while (!cancel) {
    if (SharedCheck known = kept(key)) return known;
    if (!begin(key)) {
      pause_for(1, cancel);
      continue;
    }
    SharedCheck made = kept(key);
    if (made == nullptr) made = find_findings(run, compile_, cancel);
    end(key, made);
    return made;
  }
  return nullptr;
}

JudgedRun::JudgedRun(std::shared_ptr<Checks> checks, std::function<void()> wake)
    : checks_(std::move(checks)),
      worker_(
          [checks = checks_](const Question& question, const std::atomic<bool>& cancel, const auto&) {
            pause_for(kTurnsOfRest, cancel);
            run::give_way();  // the next picture comes first
            return checks->of(*question.run, question.key, cancel);
          },
          std::move(wake)) {}

void JudgedRun::ask(bool is_still) {
  if (!is_still || run_->job == nullptr || !run_->complete) {
    worker_.cancel();
    asked_.clear();
  } else if (asked_ != key_) {
    asked_ = key_;
    worker_.submit({run_, key_});
  }
}

run::SharedRun JudgedRun::of(const run::SharedRun& run, bool is_still) {
  static_cast<void>(worker_.poll());  // it is kept
  if (run != run_) {
    run_ = run, shown_ = nullptr;
    key_ = run == nullptr || run::is_seen(run->plan()) ? "" : Checks::key_of(*run);
  }
  if (key_.empty()) {
    if (!std::exchange(asked_, {}).empty()) worker_.cancel();
    return run;
  }
  SharedCheck known = checks_->kept(key_);
  if (known == nullptr) ask(is_still);
  if (shown_ == nullptr || known != known_) shown_ = as_known(*run, known);
  known_ = std::move(known);
  return shown_;
}

}  // namespace warplens::app
