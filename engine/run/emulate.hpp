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

namespace warplens::run {

struct EmulationOptions {
  int threads = 0;  // host threads; 0: one a core
  emulator::Isa isa = emulator::Isa::automatic;
  emulator::Observer* observer = nullptr;
  const std::atomic<bool>* cancel = nullptr;
  // Above this many operations of the whole problem only a sample of blocks runs, about as many as do that
  // many operations. 0: always the full grid. Problems whose output every block adds to always run in full.
  double sample_above = 2.2e9;
  // Those too. The output of a sample is then not the problem's, and nothing is verified.
  bool sample_sums = false;
  std::uint64_t instruction_budget = 20'000'000;  // warp instructions of one warp
  bool keep_output = false;                       // copy the output buffer into the result
  bool keep_outputs = false;                      // and all of them, by buffer
  bool stop_at_uninitialised = true;              // see emulator::Launch
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
  double operations = 0;                        // of the blocks that ran
  std::vector<std::byte> output;                // where it was asked for and no fault stopped the run
  std::vector<std::vector<std::byte>> outputs;  // likewise; empty for inputs

  bool is_sampled() const { return !sample.empty(); }
};

// The PTX of a build, ready to run for a device. Reusable for any launch. Errors: PTX that is not understood.
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

// The blocks that a sample of `wanted` of `blocks` takes: the first and the last (where tails are) and others
// spread evenly.
std::vector<std::uint64_t> sample_blocks(std::uint64_t blocks, std::uint64_t wanted);

}  // namespace warplens::run
