// From the words of a command line to a kernel that is ready to run: chosen, checked, compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/options.hpp"
#include "app/workspace.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/compile/build.hpp"
#include "engine/device/device.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::app {

// A kernel with every value chosen and legal; not compiled yet. launch: see shape_launches().
struct RunPlan {
  catalog::KernelSpec spec = {};
  const problem::Problem* problem = nullptr;  // lives as long as the program
  catalog::Values sizes = {};
  catalog::Values parameters = {};
  catalog::LaunchShape launch = {};
};

// All that an engine needs to run it.
struct RunJob {
  RunPlan plan;
  std::shared_ptr<const problem::Instance> instance;
  device::Device device;
  compile::Build build;
  std::uint64_t instruction_budget = 20'000'000;  // of one warp, on the emulator
};

// "TILE=16" ... -> {TILE: 16}. Errors: no NAME=VALUE, a value that is not a whole number, a name given twice.
Result<catalog::Values> parse_defines(const std::vector<std::string>& defines);

// Error: a name that is a parameter of none of these kernels.
Status check_someone_has(const std::vector<catalog::KernelSpec>& kernels, const catalog::Values& defines);

// The kernels that `name` means: one by id or path, or every step of a ladder ("matmul"), in order.
// files_left_out gets the errors of the ladder's files that could not be read.
struct Chosen {
  std::vector<catalog::KernelSpec> kernels = {};
  bool is_ladder = false;
  std::vector<Error> files_left_out = {};
};
Result<Chosen> choose_kernels(const Workspace& workspace, std::string_view name);

// Problem, sizes and parameters. defines: as parse_defines gives them.
Result<RunPlan> plan_run(const catalog::KernelSpec& spec, const catalog::Values& defines,
                         std::string_view size);

// Plans of every kernel chosen. In a ladder a parameter goes to the steps that have it; one that no step has
// is an error, and so is the first value that is not legal.
Result<std::vector<RunPlan>> plan_runs(const Chosen& chosen, const KernelOptions& options);

// Completes the plans with their launches. Apart from plan_runs so that a size too large for the machine's
// memory can be said before its grid is called too large. Error: a launch that no device takes.
Status shape_launches(std::vector<RunPlan>& plans);

// The architecture to compile for: the device's own, or the oldest that NVRTC still has for older chips.
int architecture_for(const device::Device& device);

// What to ask the compiler for; want_cubin false: PTX alone.
compile::Request build_request(const RunPlan& plan, const device::Device& device, bool want_cubin);
Result<compile::Build> build_plan(compile::Compiler& compiler, const RunPlan& plan,
                                  const device::Device& device);

// Buffers of one run may take so many bytes in all: half of the machine's memory, and no more than 8 GiB.
std::uint64_t buffer_memory_limit();

// Static and dynamic shared memory of a block, bytes.
std::int64_t shared_bytes(const RunPlan& plan, const compile::Build& build);
int threads_per_block(const RunPlan& plan);

}  // namespace warplens::app
