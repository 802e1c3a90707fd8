// One multiprocessor at work: the warps of the blocks that it holds, instruction by instruction, and the
// units that they share. Event-driven: only issues are steps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/time/async_work.hpp"
#include "engine/time/chip/parameters.hpp"
#include "engine/time/machine_counts.hpp"

namespace warplens::time {

// What one execution of an access costs, on average.
struct AccessCost {
  double active = 1;      // share of the executions in which any lane takes part
  double latency = 0;     // cycles more: of shared memory by an address of any kind
  double turns = 1;       // of the data pipe: wavefronts, or lines and sectors of global memory; of constants
  double l2_sectors = 0;  // that it moves between L1 and L2
  double l2_packets = 0;  // on the way to L2: requests, and the sectors of stores
  double l1_miss = 0;     // share of the executions that wait for L2
  double dram_sectors = 0;
  double l2_miss = 0;  // share of those that wait for L2 that wait for memory
  // Of a product of a warp group, by each of its warps: times the interval of a part's tensor core; wavefronts of shared
  // memory for its operands.
  double products = 0, operands = 0;
  // Sectors that a bulk copy brings to the SM, with those that other blocks of its cluster ask for, or takes from it.
  double arriving = 0;
};

struct Step : Instruction {
  AccessCost cost;
};

// Warps of a block that do the same: what each of them executes.
struct WarpRole {
  std::vector<int> warps;  // of the block
  std::vector<Block> blocks;
};

struct SmWork {
  std::vector<Step> code;
  std::vector<Block> blocks;  // of the machine code, with how often each edge is taken
  // Where warps do different work that runs beside them: that of each, and what they tell and wait for. Empty and null: all do as
  // `blocks` has it.
  std::vector<WarpRole> roles;
  std::shared_ptr<const AsyncWork> async;
  int warps_per_block = 1;
  int resident = 1;            // blocks at a time
  std::uint64_t launched = 1;  // blocks in all, on this SM
  // Cycles between two instructions of a pipe of a part.
  std::array<double, kUnits> intervals{};
  std::array<double, 3> products{1, 1, 1};  // what each Product takes of that
  double interval_of(const Step& step) const {
    const double times =
        step.cost.products > 0 ? step.cost.products : products[static_cast<std::size_t>(step.product)];
    return intervals[static_cast<std::size_t>(step.unit)] * times;
  }
  double launch_interval = 0;  // cycles between two blocks that an SM may get
  double l2_sectors_per_cycle = 1, l2_packets_per_cycle = 1, dram_sectors_per_cycle = 1;  // the SM's share
};

enum class Stall : std::uint8_t {
  none,
  selected,          // issued
  wait,              // fixed latency of the instruction before
  long_scoreboard,   // global or local memory
  short_scoreboard,  // shared memory, special functions
  barrier,
  pipe,             // math pipe throttle
  memory_throttle,  // the queue of the load/store unit
  dispatch,         // the ports of the registers that it reads
  not_selected,
};
inline constexpr std::size_t kStalls = 10;

struct SmResult {
  double cycles = 0;
  double instructions = 0;
  double forced =
      0;  // waits that nothing ended: what the blocks of a cluster do for each other is not all known
  bool runs_away = false;  // warps went round many more times than was counted: the flow was not found
  std::vector<double> block_ends;     // ascending
  std::array<double, kUnits> busy{};  // cycles of the pipes, over the four parts
  double shared_turns = 0, l1_turns = 0, l2_sectors = 0, l2_packets = 0, dram_sectors = 0;
  double constant_turns = 0;
  std::array<double, kStalls> stalls{};  // warp cycles
  // The same of each instruction: of the warps that execute it next. A warp at a barrier is at its own
  // instruction, as profilers have it.
  std::vector<std::array<double, kStalls>> stalls_at;
};

// What a warp did, or waited for before an instruction.
struct Stretch {
  double from = 0, to = 0;  // cycles
  Stall what = Stall::none;
  std::uint32_t instruction = 0;
  std::uint32_t block = 0;  // of those that the SM got, from 0
};
// Of one place for a warp; its blocks follow each other.
struct WarpHistory {
  int part = 0;  // of the SM, from 0
  std::vector<Stretch> stretches;
};

// history: of each place for a warp; null: not kept.
SmResult simulate(const SmWork& work, const Parameters& parameters,
                  std::vector<WarpHistory>* history = nullptr);

}  // namespace warplens::time
