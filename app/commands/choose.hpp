// From the words of a command line to the kernels that they mean and their plans.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/commands/options.hpp"
#include "engine/analysis/access.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/device/device.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/plan.hpp"

namespace warplens::app {

// "TILE=16" ... -> {TILE: 16}. Errors: no NAME=VALUE, a value that is not a whole number, a name given twice.
Result<catalog::Values> parse_defines(const std::vector<std::string>& defines);

// "ld", "st".
Result<analysis::AccessOp> chosen_op(std::string_view text);

// Error: a name that is a parameter of none of these kernels.
Status check_someone_has(const std::vector<catalog::KernelSpec>& kernels, const catalog::Values& defines);
// The part of `defines` that this step of a ladder has.
catalog::Values own_part(const catalog::KernelSpec& spec, const catalog::Values& defines);

// The kernels that `name` means: one by id or path, or every step of a ladder ("matmul"), in order.
// files_left_out gets the errors of the ladder's files that could not be read.
struct Chosen {
  std::vector<catalog::KernelSpec> kernels = {};
  bool is_ladder = false;
  std::vector<Error> files_left_out = {};
};
Result<Chosen> choose_kernels(const Workspace& workspace, std::string_view name);
// size: in the words of --size; empty for the problem's own.
Result<run::Plan> plan_of(const catalog::KernelSpec& spec, const catalog::Values& defines,
                          std::string_view size, const device::Device& device);

// Plans of every kernel chosen. In a ladder a parameter goes to the steps that have it; one that no step has
// is an error, and so is the first value that is not legal.
Result<std::vector<run::Plan>> plan_runs(const Chosen& chosen, const KernelOptions& options,
                                         const device::Device& device);
// What was recorded of exactly this launch; 0: nothing.
double recorded_seconds(const Workspace& workspace, const run::Plan& plan);
// Of the one kernel that is named. Error: a ladder of several, too.
Result<run::Plan> plan_one(const Workspace& workspace, const KernelOptions& options,
                           const device::Device& device);

}  // namespace warplens::app
