#include "engine/explain/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/explain/against.hpp"
#include "engine/run/device_needs.hpp"

namespace warplens::explain {
namespace {

constexpr std::string_view kCannotRun = "this device cannot run it";

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
  const auto cause = std::ranges::find_if(run.report.findings, [](const Finding& finding) {
    return finding.severity == Severity::error && finding.kind != Kind::wrong_result &&
           finding.kind != Kind::unwritten_output;
  });
  if (cause == run.report.findings.end())
    return run.report.explanation.empty() ? std::string(why)
                                          : fmt::format("{}: {}", why, run.report.explanation);
  return fmt::format("{}: {}{}", why, cause->line > 0 ? fmt::format("line {}: ", cause->line) : "",
                     cause->message);
}

Explanation without_praise(Explanation said, const run::Run& run) {
  const std::string_view why = doubt(run);
  if (why.empty() || said.verdict != Verdict::good) return said;
  said.verdict = Verdict::neutral;
  said.fix = why == kCannotRun ? fmt::format("choose another device: {}", run::missing_instruction(run))
                               : fmt::format("first make it right: {}", why);
  return said;
}

Against no_comparison(const run::Run& run) { return {.words = fmt::format("no comparison: {}", doubt(run))}; }

}  // namespace warplens::explain
