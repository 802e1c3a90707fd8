// One kernel on one problem, on the emulator: buffers in, blocks run, output verified. The only place from
// which kernels are emulated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/compile/build.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/problem/problem.hpp"
#include "engine/ptx/program.hpp"
#include "engine/trace/lanes.hpp"

namespace warplens::run {

struct EmulationOptions {
  int threads = 0;  // host threads; 0: one a core
  emulator::Isa isa = emulator::Isa::automatic;
  emulator::Observer* observer = nullptr;
  const std::atomic<bool>* cancel = nullptr;
  // Above this many operations of the whole problem only some blocks run, about as many as do that many
  // operations at most (16 times as many where warp groups multiply, which takes no longer): those that the others
  // repeat (grid/whole_grid.hpp), so that the counts are those of
  // the grid; where there are no such, a sample. 0: always the full grid. Problems whose output every block
  // adds to always run in full.
  double sample_above = 2.2e9;
  // Those too. The output of some blocks is then not the problem's, and nothing is verified.
  bool sample_sums = false;
  // Where those blocks speak for the others, whatever the data is: there is none, and nothing is verified.
  bool counts_only = false;
  std::vector<std::uint64_t> also = {};           // blocks that run in any case, to be recorded; ascending
  std::uint64_t instruction_budget = 20'000'000;  // warp instructions of one warp
  bool keep_output = false;                       // copy the output buffer into the result
  bool keep_outputs = false;                      // and all of them, by buffer
  bool stop_at_uninitialised = true;              // see emulator::Launch
  bool backwards = false;                         // likewise
  // Only these blocks, linear indices, ascending: to record them quickly. Nothing is verified then. Empty:
  // see sample_above.
  std::vector<std::uint64_t> blocks = {};
};

struct Emulation {
  emulator::Outcome outcome;  // outcome.fault: the run stopped there and nothing was verified
  problem::Verification verification;
  std::vector<emulator::Allocation> buffers;  // where each of Instance::buffers() stood
  std::uint64_t blocks_in_grid = 0;
  // The blocks that ran, up to a fault if there was one; linear indices, ascending. Empty: the full grid.
  std::vector<std::uint64_t> sample;
  bool stands_for_all = false;     // the others repeat them: the counts are those of the whole grid
  std::uint64_t stored_bytes = 0;  // then: by the blocks that ran, in global memory
  double operations = 0;           // of the blocks that are counted
  std::vector<std::byte> output;   // where it was asked for and no fault stopped the run
  std::vector<std::vector<std::byte>> outputs;  // likewise; empty for inputs

  bool ran_whole() const { return sample.empty(); }
  std::uint64_t blocks_ran() const { return ran_whole() ? blocks_in_grid : sample.size(); }
  bool is_sampled() const { return !ran_whole() && !stands_for_all; }  // the counts are of a part of the grid
  // Of the grid's blocks, those that the counts are of.
  double counted_share() const {
    return is_sampled() ? static_cast<double>(blocks_ran()) / static_cast<double>(blocks_in_grid) : 1;
  }
};

// The PTX of a build, ready to run for a device; shared accesses are those of its machine code where it has
// some. Reusable for any launch. Errors: PTX that is not understood.
Result<std::shared_ptr<const emulator::Kernel>> prepare(const compile::Build& build,
                                                        const device::Device& device);

// Errors: a kernel whose parameters are not those of the problem, a launch the device could not make, no
// memory. A fault of the kernel is not an error: it is in the outcome.
Result<Emulation> emulate(const emulator::Kernel& kernel, const problem::Instance& instance,
                          const catalog::LaunchShape& launch, const EmulationOptions& options = {});

// Whether there may be inter-block communication, so that a block may behave differently if other blocks did
// not run before it. Blocks execute independently (CUDA C++ Programming Guide, "Thread Hierarchy"); they can
// communicate only through the results of atomics and through volatile accesses.
bool blocks_may_communicate(const ptx::Function& function);

// Whether every block adds to the output, so that it is right only once all of them ran.
bool adds_up(const problem::Instance& instance);

// Where emulate() puts the buffers of an instance, in every run.
Result<std::vector<emulator::Allocation>> buffer_places(const problem::Instance& instance);

// Whether there is anything to see in the lanes of a run: shuffles, or instructions that some lanes of a warp
// do not execute.
bool lanes_differ(const ptx::Function& function, const emulator::Counters& counters);

// The lanes of a few blocks, instruction by instruction: they run once more, alone and watched. blocks:
// linear indices, ascending. Null where that would say less than the whole run or takes more memory than a
// picture is worth, and of a kernel that stops there.
std::shared_ptr<const trace::LaneTrace> watch_lanes(const emulator::Kernel& kernel,
                                                    const problem::Instance& instance,
                                                    const catalog::LaunchShape& shape,
                                                    std::vector<std::uint64_t> blocks,
                                                    const std::atomic<bool>* cancel = nullptr);

// The blocks that a sample of `wanted` of `blocks` takes: the first and the last (where tails are) and others
// spread evenly.
std::vector<std::uint64_t> sample_blocks(std::uint64_t blocks, std::uint64_t wanted);

}  // namespace warplens::run
