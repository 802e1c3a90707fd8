// A kernel among the steps of its ladder, for what `warplens export` says of it by the others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/commands/export_options.hpp"
#include "engine/study/study.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::app {

// Of a kernel of no ladder the steps are itself alone.
struct TaughtStep {
  std::vector<catalog::KernelSpec> kernels;
  measured::RecordedSpeeds recorded;  // on the plan's device; empty where nothing can be read
  bool is_of_ladder = false;
  study::StepOf step = {};  // points to the above

  // The step that this one is judged against, and its number; null: there is none.
  const catalog::KernelSpec* other() const;
  std::string number_of_other() const;
};
std::shared_ptr<const TaughtStep> taught_step(const Workspace& workspace, const run::Plan& plan);

// What is said of the step: as measured, where its values are those that were, else as the model has both. before: the other step;
// null: it does not run.
std::optional<figures::AgainstStep> against(study::Library& library, const run::SharedRun& run,
                                            const TaughtStep& taught, const study::StepBefore* before);

// The one that the kernel's ladder opens on, where none is named.
std::string named_figure(const ExportOptions& options, const Workspace& workspace);

}  // namespace warplens::app
