#include "engine/explain/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/explain/against.hpp"
#include "engine/run/device_needs.hpp"

namespace warplens::explain {
namespace {

constexpr std::string_view kCannotRun = "this device cannot run it", kChecking = "it is being checked",
                           kUnchecked = "it was not checked";

using check::Finding, check::Kind, check::Severity;

std::string_view words_of(const check::Findings& findings) {
  const auto has = [&](std::initializer_list<Kind> kinds) {
    return std::ranges::any_of(findings, [&](const Finding& finding) {
      return finding.severity == Severity::error && std::ranges::find(kinds, finding.kind) != kinds.end();
    });
  };
  if (has({Kind::race_shared, Kind::race_warp, Kind::race_async, Kind::race_global})) return "it has a race";
  if (has({Kind::wrong_result, Kind::unwritten_output})) return "its result is wrong";
  if (has({Kind::launch_bounds, Kind::launch_registers, Kind::launch_cluster, Kind::launch_cooperative}))
    return "a device refuses its launch";
  if (has({Kind::launch_instruction})) return kCannotRun;
  return "an error was found in it";
}

const Finding* first_of(const check::Findings& findings, Severity severity) {
  const auto found = std::ranges::find(findings, severity, &Finding::severity);
  return found == findings.end() ? nullptr : &*found;
}

// What explains a result that is wrong; null where nothing does.
const Finding* cause_of(const run::Run& run) {
  const auto cause = std::ranges::find_if(run.report.findings, [](const Finding& finding) {
    return finding.severity == Severity::error && finding.kind != Kind::wrong_result &&
           finding.kind != Kind::unwritten_output;
  });
  return cause == run.report.findings.end() ? nullptr : &*cause;
}

// What explains the others comes before what it leads to.
const Finding* first_error(const run::Run& run) {
  const Finding* cause = cause_of(run);
  return cause != nullptr ? cause : first_of(run.report.findings, Severity::error);
}

const Finding* warning_of(const run::Run& run) { return first_of(run.report.findings, Severity::warning); }

std::string at_line(const Finding& finding) {
  return finding.line > 0 ? fmt::format(" in line {}", finding.line) : "";
}

}  // namespace

std::string_view doubt(const run::Run& run) {
  if (run.fault) return "it stopped before its end";
  if (check::has_error(run.report.findings)) return words_of(run.report.findings);
  if (run.complete && run.report.is_wrong()) return "its result is wrong";
  if (!run::missing_instruction(run).empty()) return kCannotRun;
  return {};
}

std::string doubt_words(const run::Run& run) {
  const std::string_view why = doubt(run);
  if (why.empty()) return "";
  if (why == kCannotRun) return fmt::format("{}: {}", why, run::missing_instruction(run));
  const Finding* cause = cause_of(run);
  if (cause == nullptr)
    return run.report.explanation.empty() ? std::string(why)
                                          : fmt::format("{}: {}", why, run.report.explanation);
  return fmt::format("{}: {}{}", why, cause->line > 0 ? fmt::format("line {}: ", cause->line) : "",
                     cause->message);
}

std::string_view reserve(const run::Run& run) {
  if (const std::string_view why = doubt(run); !why.empty()) return why;
  if (run.report.check == run::CheckState::at_work) return kChecking;
  return run.report.check == run::CheckState::failed ? kUnchecked : std::string_view();
}

bool is_being_checked(const run::Run& run) {
  return doubt(run).empty() && run.report.check == run::CheckState::at_work;
}

Explanation without_praise(Explanation said, const run::Run& run) {
  const std::string_view why = reserve(run);
  const Finding* warned = why.empty() ? warning_of(run) : nullptr;
  const bool may_praise =
      said.verdict == Verdict::good || (said.verdict == Verdict::neutral && !said.fix.empty());
  if ((why.empty() && warned == nullptr) || !may_praise) return said;
  said.verdict = Verdict::neutral;
  said.fix = warned != nullptr   ? fmt::format("first look at the warning{}", at_line(*warned))
             : why == kCannotRun ? fmt::format("choose another device: {}", run::missing_instruction(run))
             : why == kChecking  ? "checking for races and other mistakes ..."
             : why == kUnchecked ? fmt::format("not checked: {}", run.report.why_unchecked)
                                 : fmt::format("first make it right: {}", why);
  return said;
}

Against no_comparison(const run::Run& run) {
  return {.words = fmt::format("no comparison: {}", reserve(run))};
}

std::optional<Notice> notice(const run::Run& run) {
  const run::Report& report = run.report;
  const auto others = std::ranges::count_if(
      report.findings, [](const Finding& finding) { return finding.severity != Severity::information; });
  const auto of = [&](const Finding& finding, std::string_view what) {
    return Notice{finding.severity, std::string(what), finding.message,
                  finding.fix,      finding.line,      static_cast<std::size_t>(others - 1)};
  };
  const std::string_view why = doubt(run);
  if (const Finding* error = first_error(run)) return of(*error, why);
  if (run.fault) return std::nullopt;  // why there is no more of the run is said where it is shown
  if (why == kCannotRun) return Notice{.what = std::string(why), .words = run::missing_instruction(run)};
  if (!why.empty()) return Notice{.what = std::string(why), .words = report.explanation};
  if (report.check == run::CheckState::failed)
    return Notice{
        .severity = Severity::warning, .what = std::string(kUnchecked), .words = report.why_unchecked};
  if (const Finding* warned = warning_of(run))
    return of(*warned, check::is_race(warned->kind) ? "it may have a race" : "the checkers warn of it");
  return std::nullopt;
}

}  // namespace warplens::explain
