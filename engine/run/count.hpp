// What the emulator counts of one kernel for figures of many kernels: a ratio of work to bytes, for which a
// sample of the blocks is enough.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "engine/run/run.hpp"

namespace warplens::run {

// What tensor cores do, of the blocks that ran.
struct TensorOperations {
  double operations = 0;
  // Of 16-bit operands that take as long: of half as many bits twice as many go through. Doubles and what is smaller than a
  // byte have rates of their own, which no table here has, and are left out; sparse products skip half.
  double of_16_bits = 0;
};
TensorOperations tensor_operations(const ptx::Function& function, const emulator::Counters& counters);

struct StepCount {
  double work = 0;         // what its speed is of: operations, or the least bytes of the problem: see unit
  double operations = 0;   // 0 where it has none
  bool are_floats = true;  // whether lanes of fp32 and tensor cores do them: else no peak here bounds it
  TensorOperations tensor = {};  // of the operations
  double bytes = 0;              // 32 for each sector of global memory that was asked for, by TMA too
  double wavefronts = 0;         // of shared memory, for the operands of wgmma too
  double requests = 0;           // accesses of warps to global memory
  double instructions = 0;       // of warps, of the PTX
  double barriers = 0;           // that blocks waited at
  double loop_turns = 0;         // jumps back of warps, in the PTX
  double least_bytes = 0;        // that any kernel of the problem must move
  // More than the ideal: sectors of global memory, and wavefronts of shared memory.
  double wasted_load_sectors = 0, wasted_store_sectors = 0;
  double wasted_load_wavefronts = 0, wasted_store_wavefronts = 0;
  double idle_lanes = 0;     // of all instructions
  double share = 1;          // of the grid's blocks that all of the above are of
  std::uint64_t blocks = 0;  // in the grid
  bool has_queues = false;   // work that no warp waits beside: wgmma, tensor copies
  std::string unit;          // of the speed: see base/speed.hpp
  std::string words;         // parameters and sample
  catalog::Values parameters = {}, sizes = {};
  catalog::About about = catalog::About::anything;  // of its kernel
  std::string problem = {};                         // equal where kernels compute the same from the same data
  std::string missing =
      {};  // "cp.async needs 8.0": why the device does not run it at all, see missing_instruction()
  std::string replaced = {};  // see replaced_instruction()
};
StepCount step_count(const Run& run);

// How much of the same work one count is of, over another one: counts are compared after one is divided by
// this. At equal sizes it is the same problem, whatever its arrays are padded with.
double times_the_work(const StepCount& one, const StepCount& other);

// The unit that the speeds of a problem have.
std::string unit_of(const problem::Instance& instance);

struct CountOptions {
  int threads = 0;  // of the host; 0: one a core
  const std::atomic<bool>* cancel = nullptr;
};
// Counts a small sample of the blocks. usual: the same code at its problem's usual sizes, null where it has
// no such launch: what every block adds to is verified there, since no sample has its sum, and the words say
// so. Errors: as execute(), a fault, a wrong result, cancelled.
Result<StepCount> count_sample(const Job& job, const Job* usual, const CountOptions& options);

}  // namespace warplens::run
