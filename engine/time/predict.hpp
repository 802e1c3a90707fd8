// How long a kernel takes: one SM is scheduled with the blocks that it holds, then the grid follows from it.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/device/device.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/chip/uneven.hpp"
#include "engine/time/traffic.hpp"

namespace warplens::time {

// Shares are of what the unit could do in the whole time, 0 to 1.
struct UnitShares {
  double issue = 0, fma = 0, alu = 0;
  double fp64 = 0, sfu = 0;   // doubles; reciprocals, roots, sines, conversions
  double tensor = 0;          // products of warps
  double constant = 0;        // what gives constants to lanes that ask for different ones
  double shared = 0, l1 = 0;  // the two uses of the one data pipe
  double l2 = 0, dram = 0;
};

struct UnitShare {
  std::string_view name;
  double busy = 0;
};
std::array<UnitShare, 11> shares_of(const UnitShares& units);
UnitShare busiest(const UnitShares& units);

// What warps do at one instruction, as shares of the time of all warps: it is the next one that they execute.
struct StallsAt {
  std::uint32_t offset = 0;  // of the instruction; of PTX 0
  int line = 0;              // of the source; 0: unknown
  int ptx_line = 0;          // from 1; 0: unknown
  std::array<float, kStalls> shares{};
};

struct Prediction {
  double seconds = 0;        // of one launch, back to back with others of its kind
  double cycles = 0;         // of an SM, without what the launch itself costs
  std::string_view limiter;  // the busiest unit
  UnitShares units;
  std::array<double, kStalls> stalls{};  // shares of the warps' time, by Stall
  std::vector<StallsAt> stalls_at = {};  // the same by instruction, in the order of the code: their sum
  double blocks = 0, waves = 0;          // of the grid
  double tail = 0;                       // share of the SMs' time that the last blocks leave idle
  double l1_hits = 0, l2_hits = 0;       // shares of what loads, and of what loads and stores ask for
  bool has_caches = true;
  double local_hits = 1;         // of local memory, in L1
  double warp_instructions = 0;  // of the grid, of machine code
  double resident_warps = 0;     // that an SM holds at a time; fewer than fit where the grid is small
  double meetings = 0;           // atomics that meet others at their address, of the grid
  double same_address = 0;       // share of the time that these need, one after another
  // Of memory without a cache: how many times as long it takes because accesses crowd in few partitions.
  double crowding = 1;
  double starts = 0;  // share of the time that starting one block after the other needs
  double launch = 0;  // share of the time that a launch takes, whatever its kernel does
  double clock = 1;   // of the boost clock, that the chip holds without drawing more power than it may
  // Share of the time that the same threads in smaller blocks would save, where many SMs have no block.
  double in_smaller_blocks = 0;
  // Of blocks that do not do equally much: what the one with the most executes, over the mean; shares of the time that
  // the same work in equal blocks would save, and that the same blocks would if the longest were started first.
  double longest_block = 1, waits_for_longest = 0, longest_first = 0;
  // There, too: how much longer, as a share of the time, so many such blocks take that every SM has its own.
  double all_sms_longer = 0, blocks_for_all_sms = 0;
  double l2_sectors = 0;  // that pass between the SMs and L2, of the grid
  double useful_sectors =
      1;  // of those asked of global memory: that the ideal access would ask, too; TMA's are
  double useful_wavefronts = 1;   // of those of shared memory: that its accesses take without bank conflicts
  double mean_lanes = 32;         // at work, of the instructions that warps execute
  bool divides_warps = false;     // branches send lanes of most warps that come there different ways
  double local_accesses = 0;      // share of the accesses to memory that are to local memory
  bool has_local_arrays = false;  // of the kernel's own; else it keeps there what finds no register
  bool has_group_products = false;  // by wgmma
  double of_doubles = 0;            // share of the special function units' work that converts doubles
  std::string_view basis = "sass";  // "ptx": from PTX, or machine code of another device
  bool runs_away = false;           // the machine code's flow was not found
};
std::string_view name(Stall stall);

// Of a launch, without the launch itself: of these its units are busy a share.
inline double seconds_on_sms(const Prediction& p) { return p.seconds * (1 - p.launch); }
// What L2 gives all SMs in that time, in bytes; 0 where l2_gb_per_s() is.
double l2_bytes(const device::Device& device, const Prediction& prediction);

// What one SM did while it was scheduled.
struct SmHistory {
  std::vector<WarpHistory> warps;
  std::vector<Instruction> code;
  int warps_per_block = 1, resident = 1;  // resident: blocks at a time
  std::vector<double> block_ends;         // see GridTime
  double last_wave = 0;
  double scheduled = 1;  // share of a warp's instructions: long loops are scheduled with fewer turns
  std::vector<PlacedBlocks> placed = {};  // all blocks, where they do not do equally much
};

// instead: of the device's own parameters. history: null where it is not wanted. Errors: machine code that
// cannot be read.
Result<Prediction> predict(const Input& input, const Settings& instead, SmHistory* history = nullptr);

}  // namespace warplens::time
