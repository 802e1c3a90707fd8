// How often each basic block of the machine code ran. The emulator counts PTX; what ptxas keeps of it is
// counted line by line: arithmetic in fp32, accesses, barriers, shuffles. Those counts and the flow of the
// machine code (what enters a block leaves it) are equations; what they leave open is taken to be the fewest
// instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::time {

struct Edge {
  std::uint32_t to = 0;  // index of a block; kLeave: the warp ends
  double taken = 0;      // by a warp, on average
};
inline constexpr std::uint32_t kLeave = ~std::uint32_t{0};

struct Block {
  std::uint32_t first = 0, end = 0;  // instructions
  double executed = 0;               // by a warp, on average
  std::vector<Edge> edges;           // 1 or 2
};

struct MachineFlow {
  std::vector<Block> blocks;  // ascending; the first is the entry
  double instructions = 0;    // of a warp
  double worst_miss = 0;      // of the counts by line, as a share of all
};

// What an anchor counts; the same names for PTX and machine code.
enum class Anchor : std::uint8_t {
  none,
  fp32,
  minimum,  // fp32 minimum and maximum
  shared_load,
  shared_store,
  global_load,
  global_store,
  atomic,
  async_copy,
  barrier,
  shuffle,
};
Anchor anchor_of(const Instruction& instruction);
Anchor anchor_of(const ptx::Instruction& instruction);

// counters: of `warps` warps. accesses: Kernel::shared_accesses().
MachineFlow count_blocks(const std::vector<Instruction>& code, const ptx::Function& function,
                         const emulator::Counters& counters,
                         const std::vector<emulator::VectorizedAccess>& accesses, double warps);

}  // namespace warplens::time
