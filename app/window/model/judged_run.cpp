#include "app/window/model/judged_run.hpp"

#include <utility>

#include "engine/run/checked/checked_run.hpp"
#include "engine/run/checked/seen.hpp"

namespace warplens::app {
namespace {

using study::Fact;

run::SharedRun as_known(const run::Run& run, const study::SharedCheck& known) {
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

JudgedRun::JudgedRun(std::shared_ptr<study::Library> library, std::function<void()> wake)
    : inquiry_(std::move(library), std::move(wake)) {}

study::SharedCheck JudgedRun::found(bool is_still) {
  const study::Question question{.run = run_};
  if (is_still && run_->complete) return inquiry_.of(question, Fact::findings).findings;
  inquiry_.rest(Fact::findings);
  const auto kept = inquiry_.library().kept(Fact::findings, study::key_of(Fact::findings, question));
  return kept ? kept->findings : nullptr;
}

run::SharedRun JudgedRun::of(const run::SharedRun& run, bool is_still) {
  if (run != run_) {
    run_ = run, shown_ = nullptr;
    is_seen_ = run == nullptr || run->job == nullptr || run::is_seen(run->plan());
  }
  if (is_seen_) {
    inquiry_.rest(Fact::findings);
    return run;
  }
  study::SharedCheck known = found(is_still);
  if (shown_ == nullptr || known != known_) shown_ = as_known(*run, known);
  known_ = std::move(known);
  return shown_;
}

}  // namespace warplens::app
