#include "app/commands/export_checks.hpp"

#include "app/base/workspace.hpp"
#include "engine/explain/doubt.hpp"

namespace warplens::app {

Status check_result(const run::Run& run) {
  if (!run.report.is_wrong()) return Done{};
  const catalog::KernelSpec& spec = run.plan().spec;
  const std::string name = spec.id == spec.path ? "the kernel" : spec.id;
  return Error{"the result of " + name + " is wrong: " + run.report.explanation,
               "correct the kernel; a wrong one is not drawn",
               {spec.path, 0, 0}};
}

bool tell_notice(const run::Run& run) {
  const auto notice = explain::notice(run);
  if (!notice) return false;
  const Error told{notice->what + (notice->words.empty() ? "" : ": " + notice->words),
                   notice->fix,
                   {run.plan().spec.path, notice->line, 0}};
  if (notice->severity == check::Severity::error)
    print_error(told);
  else
    print_warning(to_line(told));
  return notice->severity == check::Severity::error;
}

}  // namespace warplens::app
