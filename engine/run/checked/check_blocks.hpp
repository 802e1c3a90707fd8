// One launch watched by the checkers (engine/check), a run of its own: what is counted is not touched by it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "engine/check/bounds.hpp"
#include "engine/check/finding.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {

struct CheckOptions {
  // Instructions of warps that are watched, about, and words that they touch; large launches are checked in a
  // sample of their blocks.
  std::uint64_t most_effort = 2'000'000;
  // So much in any case; between the two a 64th of what all blocks would take, about as long as counting
  // them.
  std::uint64_t least_effort = 300'000;
  std::uint64_t instruction_budget = 20'000'000;  // of one warp
  int compute_capability = 90;
  std::uint32_t registers = 0;  // a thread, of machine code with setmaxnreg; 0: no pool is checked
  std::string ptx = {};         // of the build
  std::vector<std::string> parameters = {};   // the kernel's names of the arguments; empty: not known
  std::vector<bool> never_set = {};           // by argument: nothing of the file gives it values
  const std::atomic<bool>* cancel = nullptr;  // set it to true to stop early; what was found is not all then
};

struct Checked {
  check::Findings findings;  // errors first
  std::optional<emulator::Fault> fault;
  emulator::Outcome outcome;
  std::uint64_t blocks_checked = 0;  // to their ends
  std::uint64_t effort = 0;
  bool gave_up = false;  // a block, or all of them together, took too long to be watched to the end
};

// The kernel's names of its arguments; empty where it is not known which kernel of the file it is.
std::vector<std::string> parameter_names(const catalog::KernelSpec& spec);
// places: of the instance's buffers in the run.
check::FaultWords fault_words(const emulator::Fault& fault, const emulator::Kernel& kernel,
                              const problem::Instance& instance,
                              const std::vector<emulator::Allocation>& places,
                              const catalog::LaunchShape& shape, const catalog::KernelSpec& spec);

// Errors: as emulate().
Result<Checked> check_blocks(const emulator::Kernel& kernel, const problem::Instance& instance,
                             const catalog::LaunchShape& shape, const CheckOptions& options = {});

}  // namespace warplens::run
