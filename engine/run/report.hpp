// What one execution of one kernel did, as numbers: what `warplens run` prints. Counts are of the whole
// grid, or of the sampled blocks where sampled_blocks says how many.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/finding.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/gpu/types.hpp"
#include "engine/problem/verification.hpp"

namespace warplens::run {

// What a run on a GPU has beside what every run has.
struct GpuReport {
  std::string device;    // "NVIDIA H100 80GB HBM3"
  std::string driver;    // "580.159.04"; empty where not known
  int cuda_version = 0;  // of the driver: 13000
  gpu::Timing timing;
  std::int64_t checked_elements = 0;    // of the output; the rest was only seen to be written
  std::optional<bool> cublas_verified;  // nothing: it did not run
  double operations = 0;                // of one launch
  bool has_whole_results = false;       // then its operations are of whole numbers
  double least_bytes = 0;               // that any kernel of the problem must move
  std::string not_checked;              // what its check did not look at, before it was launched; empty: all
};

using NamedValues =
    std::vector<std::pair<std::string, std::int64_t>>;  // in the order of the kernel file or problem

// How far the checkers (engine/run/checked) came with a run.
enum class CheckState : std::uint8_t {
  not_asked,  // nobody waits for them: see is_seen(), or whoever ran it did not want to know
  at_work,    // what they find is not known yet
  done,       // Report::findings has it
  failed,     // Report::why_unchecked says why
};

// What was tried beside the run itself before it was called right.
struct OtherKernel {
  std::string name, verdict;  // "verified", "not checked", or what is wrong with it
};
struct Tried {
  std::vector<NamedValues> sizes;     // smaller and larger ones, each run and checked as if it were asked for
  std::vector<std::string> data;      // the run's own first: "random", "zero", ...
  std::vector<OtherKernel> kernels;   // of the same file, run too
  std::vector<std::string> left_out;  // of the same file, not run
};

struct Report {
  // What was run.
  std::string kernel;  // id
  NamedValues params;
  NamedValues size;
  std::string engine = "emulator";
  std::string device;    // id
  int compiled_for = 0;  // architecture of the machine code: 90; not the device's where NVRTC has none for it
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  device::Device hardware;         // of that id
  double problem_operations = 0;   // of one launch, whatever the kernel does
  bool has_whole_results = false;  // then these are of whole numbers
  double least_bytes = 0;          // that any kernel of the problem must move

  // What the compiler made of it.
  int registers = 0;              // a thread, of the machine code for `compiled_for`
  int device_registers = 0;       // of the device's own machine code; 0: not known, see registers_on()
  std::int64_t shared_bytes = 0;  // a block, static and dynamic
  std::int64_t spill_bytes = 0;   // stores and loads, added
  std::int64_t spill_stores = 0;  // bytes of these that are stored
  double occupancy = 0;           // of the device's warps, 0 to 1

  // What it did.
  bool stopped = false;  // by a fault: the counts are of what ran until then
  bool verified = false;
  double max_relative_error = 0;
  std::string explanation;                            // why not verified; empty where it is
  problem::Mistake mistake = problem::Mistake::none;  // that it explains
  std::string
      not_checked;  // why nothing was compared, where the problem asks for that; then it is not verified
  std::optional<std::uint64_t> sampled_blocks;  // the counts are of so many; nothing: of the full grid
  std::optional<std::uint64_t> blocks_run;      // fewer than the grid has; nothing: all of them
  std::vector<std::uint64_t> sample;            // which, linear indices, ascending; empty: the full grid
  bool counted = true;  // false: a GPU ran it, which counts nothing by itself; then counts are null in JSON
  emulator::Counts counts;
  std::uint64_t diverged = 0;                     // warps that a branch sent two ways, of the same blocks
  std::uint64_t shared_load_requests_in_ptx = 0;  // of the PTX as written
  // Whether the cubin's shared loads and stores are those that were counted (see emulator::are_issued());
  // nothing without a cubin.
  std::optional<bool> vectorized_as_in_cubin;
  check::Findings findings;  // of the checkers; an error makes `verified` false
  CheckState check = CheckState::not_asked;
  std::string why_unchecked;  // of a check that failed
  // How many blocks the checkers watched; empty if they did not look.
  std::optional<std::uint64_t> checked_blocks;
  std::optional<Tried> tried;  // empty if the checkers did not look
  std::string printed;         // what the kernel's printf wrote
  double seconds = 0;          // of the execution, without compiling and verifying
  double operations =
      0;  // floating-point operations that ran (of the sampled blocks where sampled); 0: not counted
  std::optional<GpuReport> gpu;  // where a GPU ran it; seconds is then the median of one launch

  bool is_wrong() const { return !verified && not_checked.empty(); }
};

// operations a second in 1e9; 0 where nothing was counted or timed.
double gflops(const Report& report);

}  // namespace warplens::run
