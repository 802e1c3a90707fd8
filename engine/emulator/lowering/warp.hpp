// The mutable state of an emulated launch: warps, their block, and the worker thread that runs them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/emulator/known_units.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/emulator/lowering/block_state.hpp"
#include "engine/emulator/lowering/micro_op.hpp"

namespace warplens::emulator {

struct Worker;

// Group::barrier beyond the 16 of the block: for lanes of its own warp, a phase of a barrier in shared memory
// (mbarrier), the blocks of its cluster, the warps of its group. These stand at the instruction, others behind it.
inline constexpr int kWarpBarrier = 1000, kMemoryBarrier = 1001, kClusterBarrier = 1002, kGroupBarrier = 1003;
inline bool is_block_barrier(int barrier) { return barrier >= 0 && barrier < kWarpBarrier; }

// Lanes at the same instruction.
struct Group {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  int barrier = -1;                             // waiting at this barrier, -1: ready
  std::uint32_t barrier_threads = 0;            // its expected count, 0: the whole block
  std::uint32_t needed = 0;                     // kWarpBarrier: the lanes that have to come
  const struct PtxDetail* reduction = nullptr;  // bar.red: where its result goes
  std::uint32_t votes = 0;                      // bar.red: lanes whose predicate is true
  const struct PtxDetail* wait = nullptr;       // kMemoryBarrier: what waits
  bool timed_out = false;                       // kMemoryBarrier: nothing else could run, so the wait ends
};

// A cp.async that has been issued and not yet waited for.
struct PendingCopy {
  std::uint32_t lanes = 0;
  std::uint8_t width = 4;
  std::uint32_t pc = 0;
  std::uint64_t number = 0;                // of its warp's copies
  std::array<std::uint32_t, 32> group{};   // commit group of each lane
  std::array<std::uint32_t, 32> target{};  // offset in shared memory
  std::array<std::array<std::byte, 16>, 32> data{};
};

struct Warp {
  std::byte* regs = nullptr;
  std::uint32_t active = 0;  // lanes of the running group
  std::uint32_t exec = 0;    // lanes that the next operation acts on: active, less those a guard turns off
  std::uint32_t range_start = 0;       // pc since which the running group is not counted yet
  std::uint64_t executed = 0;          // warp instructions so far
  std::uint64_t spent = 0;             // of those that the launch's limit knows of
  std::uint64_t extra = 0;             // what slow operations count as beside one, and it does not know of
  std::uint64_t slice_end = 0;         // value of `executed` at which to look at budget and cancellation
  bool take_turns = false;             // the running group only waits for others: let them run first
  bool yields = false;                 // ... and the other warps of the block
  std::uint32_t spins = 0;             // turns of small loops that only wait, in this slice
  std::uint64_t state = 0, still = 0;  // at the end of its last slice; how many slices left it so
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;
  Worker* worker = nullptr;
  const MicroOp* ops = nullptr;  // the code the warp runs now: fast or general
  Event event = Event::none;
  const MicroOp* stopped_at = nullptr;  // the operation that raised the event
  std::uint32_t carry = 0;              // the condition code's carry flag, a bit a lane
  std::uint32_t needed = 0;             // lanes that a warp-level barrier waits for, with Event::converge
  bool general = false;                 // running the general code: all registers varying, all writes masked
  std::uint32_t index = 0;              // in the block
  std::uint32_t existing = 0;           // lanes that the block has
  std::vector<Group> groups;            // others than the running one, and all of them between runs
  Group running;                        // valid while the warp runs
  // cp.async
  std::vector<PendingCopy> copies;
  std::uint64_t copies_issued = 0;
  std::array<std::uint32_t, 32> committed{};
  std::array<std::uint32_t, 32> cluster_arrivals{};  // of each lane
  AsynchronousWork asynchronous;
  // Lanes that have not left, while the warp runs.
  std::uint32_t alive() const {
    std::uint32_t mask = active;
    for (const Group& group : groups) mask |= group.mask;
    return mask;
  }
};

// One memory instruction as one worker sees it: counts, the allocation it met last, and the last pattern of
// lanes.
struct Site {
  std::uint64_t requests = 0, in_ptx = 0;
  std::uint64_t units = 0, ideal = 0, bytes = 0;  // sums of AccessUnits
  // Addresses [low, high) are in one allocation; `delta` is what its host address is ahead of them, modulo
  // 2^64.
  std::uint64_t low = 1, high = 0;
  std::uint64_t delta = 0;
  bool writable = false;
  // Last irregular access: lane offsets from the first active lane, and its AccessUnits.
  std::uint32_t memo_mask = 0, memo_phase = 0;
  std::uint32_t memo_version = 0;  // another one for every other memo_mask or memo_offsets; 0: none yet
  std::uint32_t memo_units = 0, memo_ideal = 0, memo_bytes = 0;
  std::int64_t affine_stride = 0;
  std::uint32_t affine_mask = 0, affine_phase = 0, affine_units = 0, affine_ideal = 0, affine_bytes = 0;
  alignas(64) std::array<std::uint32_t, 32> memo_offsets{};

  std::byte* host(std::uint64_t address) const {
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(delta + address));
  }
};

struct Worker : BlockState {
  std::vector<Site> sites;
  // Difference arrays over pc: their running sums are the counts of executed warps and lanes.
  std::vector<std::int64_t> executed, lanes;
  std::vector<std::uint64_t> diverged, chosen;  // of each pc
  GlobalMemory* memory = nullptr;
  const device::Device* device = nullptr;
  bool sectors_of_32 = true;  // the rules since 3.x: closed forms hold
  // The bits of a global address that the device's rule looks at: of sectors, or before 3.x of segments.
  std::uint32_t phase_bits = 31;
  std::uint32_t shared_phase_bits = 3;  // the same of shared memory: of a word, or of a bank's 64 words
  KnownUnits known;
  bool stop_at_uninitialised = true, reads_go_on = false;  // see Launch
  std::array<std::uint32_t, 3> block_dim{}, grid_dim{};
  std::uint32_t local_bytes = 0;
  const ptx::Function* function = nullptr;
  const ptx::Program* program = nullptr;
  const class SharedLayout* layout = nullptr;
  std::optional<Fault> fault;
  std::map<std::uint32_t, Fault> read_beside;  // by pc, where reads_go_on
  std::string printed;
  std::uint64_t not_printed = 0;  // calls of printf that had no room
  bool keeps_printed = true;      // what the block prints; none where others fill the device's buffer
  std::uint64_t barriers = 0;
  TensorCounts tensor;
};

// The running group has executed [range_start, end) and goes on elsewhere, or with other lanes.
inline void close_range(Warp& warp, std::uint32_t end) {
  Worker& worker = *warp.worker;
  const std::int64_t lanes = __builtin_popcount(warp.active);
  worker.executed[warp.range_start] += 1;
  worker.executed[end] -= 1;
  worker.lanes[warp.range_start] += lanes;
  worker.lanes[end] -= lanes;
  warp.executed += end - warp.range_start;
}

}  // namespace warplens::emulator
