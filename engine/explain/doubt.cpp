#include "engine/explain/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/explain/against.hpp"
#include "engine/run/device_needs.hpp"

namespace warplens::explain {
namespace {

// Why a run is not praised.
enum class Why : std::uint8_t {
  nothing,
  stopped,
  race,
  wrong,
  refused,
  cannot_run,
  error,
  checking,
  unchecked
};

std::string_view words_of(Why why) {
  switch (why) {
    case Why::nothing:
      return {};
    case Why::stopped:
      return "it stopped before its end";
    case Why::race:
      return "it has a race";
    case Why::wrong:
      return "its result is wrong";
    case Why::refused:
      return "a device refuses its launch";
    case Why::cannot_run:
      return "this device cannot run it";
    case Why::error:
      return "an error was found in it";
    case Why::checking:
      return "it is being checked";
    case Why::unchecked:
      return "it was not checked";
  }
  return {};
}

using check::Finding, check::Kind, check::Severity;

Why why_of(const check::Findings& findings) {
  const auto has = [&](std::initializer_list<Kind> kinds) {
    return std::ranges::any_of(findings, [&](const Finding& finding) {
      return finding.severity == Severity::error && std::ranges::find(kinds, finding.kind) != kinds.end();
    });
  };
  if (has({Kind::race_shared, Kind::race_warp, Kind::race_async, Kind::race_global})) return Why::race;
  if (has({Kind::wrong_result, Kind::unwritten_output})) return Why::wrong;
  if (has({Kind::launch_bounds, Kind::launch_registers, Kind::launch_cluster, Kind::launch_cooperative}))
    return Why::refused;
  if (has({Kind::launch_instruction})) return Why::cannot_run;
  return Why::error;
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

Why why_in_doubt(const run::Run& run) {
  if (run.fault) return Why::stopped;
  if (check::has_error(run.report.findings)) return why_of(run.report.findings);
  if (run.complete && run.report.is_wrong()) return Why::wrong;
  return run::missing_instruction(run).empty() ? Why::nothing : Why::cannot_run;
}

Why why_in_reserve(const run::Run& run) {
  if (const Why why = why_in_doubt(run); why != Why::nothing) return why;
  return run.report.check == run::CheckState::at_work  ? Why::checking
         : run.report.check == run::CheckState::failed ? Why::unchecked
                                                       : Why::nothing;
}

}  // namespace

std::string_view doubt(const run::Run& run) { return words_of(why_in_doubt(run)); }

std::string doubt_words(const run::Run& run) {
  const Why why = why_in_doubt(run);
  const std::string_view words = words_of(why);
  if (why == Why::nothing) return "";
  if (why == Why::cannot_run) return fmt::format("{}: {}", words, run::missing_instruction(run));
  const Finding* cause = cause_of(run);
  if (cause == nullptr)
    return run.report.explanation.empty() ? std::string(words)
                                          : fmt::format("{}: {}", words, run.report.explanation);
  return fmt::format("{}: {}{}", words, cause->line > 0 ? fmt::format("line {}: ", cause->line) : "",
                     cause->message);
}

std::string_view reserve(const run::Run& run) { return words_of(why_in_reserve(run)); }

bool is_being_checked(const run::Run& run) {
  return doubt(run).empty() && run.report.check == run::CheckState::at_work;
}

Explanation without_praise(Explanation said, const run::Run& run) {
  const Why why = why_in_reserve(run);
  const Finding* warned = why == Why::nothing ? warning_of(run) : nullptr;
  const bool may_praise =
      said.verdict == Verdict::good || (said.verdict == Verdict::neutral && !said.fix.empty());
  if ((why == Why::nothing && warned == nullptr) || !may_praise) return said;
  said.verdict = Verdict::neutral;
  said.fix = warned != nullptr ? fmt::format("first look at the warning{}", at_line(*warned))
             : why == Why::cannot_run
                 ? fmt::format("choose another device: {}", run::missing_instruction(run))
             : why == Why::checking  ? "checking for races and other mistakes ..."
             : why == Why::unchecked ? fmt::format("not checked: {}", run.report.why_unchecked)
                                     : fmt::format("first make it right: {}", words_of(why));
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
  const Why why = why_in_doubt(run);
  if (const Finding* error = first_error(run)) return of(*error, words_of(why));
  if (run.fault) return std::nullopt;  // why there is no more of the run is said where it is shown
  if (why == Why::cannot_run)
    return Notice{.what = std::string(words_of(why)), .words = run::missing_instruction(run)};
  if (why != Why::nothing) return Notice{.what = std::string(words_of(why)), .words = report.explanation};
  if (report.check == run::CheckState::failed)
    return Notice{.severity = Severity::warning,
                  .what = std::string(words_of(Why::unchecked)),
                  .words = report.why_unchecked};
  if (const Finding* warned = warning_of(run))
    return of(*warned, check::is_race(warned->kind) ? "it may have a race" : "warning");
  return std::nullopt;
}

}  // namespace warplens::explain
