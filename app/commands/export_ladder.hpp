// What `warplens export` says of a step by the others of its ladder.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/base/workspace.hpp"
#include "app/commands/export_options.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/flow/ladder_scale.hpp"
#include "viz/figures/rounding/rounding.hpp"
#include "viz/figures/time/waits.hpp"

namespace warplens::app {

// The step of the ladder that this one is judged against; empty if there is none, or it solves another
// problem.
struct OtherStep {
  std::string number;
  catalog::KernelSpec spec;
};
std::optional<OtherStep> step_to_judge_against(const Workspace& workspace, const std::string& id);

// At the same size. Null where there is none, or it does not run.
std::shared_ptr<const figures::StepBefore> step_before(const Workspace& workspace, const OtherStep& other,
                                                       const run::Plan& plan, run::Runner& runner);

// What is said of the step: as measured, where its values are those that were, else as the model has both.
std::optional<figures::AgainstStep> against(const Workspace& workspace, const run::Run& run,
                                            const std::optional<OtherStep>& other,
                                            const figures::StepBefore* before, run::Runner& runner);

// Null where the kernel is of no ladder.
std::shared_ptr<const figures::LadderScale> scale_of(const Workspace& workspace, const run::Plan& plan,
                                                     run::Runner& runner);
// Of the kernel's ladder, else of the kernel alone.
std::shared_ptr<const figures::LadderTimes> times_of(const Workspace& workspace, const run::Run& run,
                                                     run::Runner& runner);
figures::SharedRounding rounding_of(const run::Run& run, const figures::Place& place,
                                    const std::optional<OtherStep>& other, run::Runner& runner);

// The one that the kernel's ladder opens on, where none is named.
std::string named_figure(const ExportOptions& options, const Workspace& workspace);

}  // namespace warplens::app
