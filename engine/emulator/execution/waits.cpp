// The barriers of a block, and what is said where none of its warps can go on.
#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/emulator/execution/executor.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/ptx/source_place.hpp"

namespace warplens::emulator {

namespace {
// Threads that a group stands for at a barrier with a count. It counts whole warps (PTX ISA, bar: "the
// arrival count is incremented by the warp size"), so a warp that has no more lanes than these arrives as 32.
std::uint32_t arrivals(const Warp& warp, const Group& group) {
  std::uint32_t alive = group.mask;
  for (const Group& other : warp.groups) alive |= other.mask;
  const bool whole = group.barrier_threads != 0 && alive == group.mask;
  return whole ? 32 : static_cast<std::uint32_t>(__builtin_popcount(group.mask));
}
}  // namespace

// bar.sync id {, threads}; bar.arrive id, threads; bar.red.op.type d, id {, threads}, p
void Executor::arrive(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  const ptx::Instruction& i = *detail.instruction;
  const std::size_t first = i.destinations;
  const std::size_t inputs = detail.operands.size() - first - (i.opcode == ptx::Opcode::bar_red ? 1 : 0);
  const auto lane = static_cast<std::uint32_t>(__builtin_ctz(warp.needed));
  Group group{op->pc + 1, warp.needed};
  group.barrier =
      inputs > 0 ? static_cast<int>(read_operand(warp, detail.operands[first].place, lane) & 15) : 0;
  group.barrier_threads =
      inputs > 1 ? static_cast<std::uint32_t>(read_operand(warp, detail.operands[first + 1].place, lane)) : 0;
  if (i.opcode == ptx::Opcode::bar_red) {
    group.reduction = &detail;
    for_each_lane(group.mask, [&](std::uint32_t l) {
      group.votes |= read_operand(warp, detail.operands.back().place, l) != 0 ? 1u << l : 0;
    });
  }
  close_range(warp, op->pc + 1);
  park(warp, {op->pc + 1, warp.active & ~warp.needed});
  if (i.opcode == ptx::Opcode::bar_arrive) {
    arrived_[static_cast<std::size_t>(group.barrier)] += arrivals(warp, group);
    expected_[static_cast<std::size_t>(group.barrier)] = group.barrier_threads;
    group.barrier = -1;
  }
  park(warp, group);
}

bool Executor::release_barriers() {
  std::array<std::uint32_t, 16> waiting{}, expected = expected_;
  std::uint32_t alive = 0;
  for (const Warp& warp : warps_)
    for (const Group& group : warp.groups) {
      alive += static_cast<std::uint32_t>(__builtin_popcount(group.mask));
      if (!is_block_barrier(group.barrier)) continue;
      const auto b = static_cast<std::size_t>(group.barrier);
      waiting[b] += arrivals(warp, group);
      if (group.barrier_threads != 0) expected[b] = group.barrier_threads;
    }
  bool released = false;
  for (std::size_t b = 0; b < waiting.size(); ++b) {
    const std::uint32_t have = waiting[b] + arrived_[b];
    if (waiting[b] == 0 || have < (expected[b] != 0 ? expected[b] : alive)) continue;
    release(static_cast<int>(b));
    released = true;
  }
  return released;
}

void Executor::tell_release(int barrier) const {
  std::vector<BarrierArrival> arrivals;
  for (const Warp& warp : warps_) {
    std::uint32_t alive = 0;
    for (const Group& group : warp.groups) alive |= group.mask;
    for (const Group& group : warp.groups)
      if (group.barrier == barrier) arrivals.push_back({warp.index, group.pc - 1, group.mask, alive});
  }
  worker_.watcher->on_release(barrier, arrivals);
}

void Executor::release(int barrier) {
  if (worker_.watcher != nullptr) tell_release(barrier);
  std::uint32_t threads = 0, votes = 0;
  for (const Warp& warp : warps_)
    for (const Group& group : warp.groups)
      if (group.barrier == barrier && group.reduction != nullptr) {
        threads += static_cast<std::uint32_t>(__builtin_popcount(group.mask));
        votes += static_cast<std::uint32_t>(__builtin_popcount(group.votes));
      }
  std::uint32_t pc = 0;
  for (Warp& warp : warps_) {
    released_.clear();  // both lists keep their room
    released_.swap(warp.groups);
    for (Group& group : released_) {
      if (group.barrier == barrier) {
        pc = group.pc - 1;
        if (group.reduction != nullptr) {
          const ptx::Instruction& i = *group.reduction->instruction;
          const std::uint32_t value = i.atomic == ptx::AtomicOp::popc   ? votes
                                      : i.atomic == ptx::AtomicOp::and_ ? votes == threads
                                                                        : votes != 0;
          for_each_lane(group.mask, [&](std::uint32_t lane) {
            write_operand(warp, group.reduction->operands[0].place, lane, value);
          });
        }
        group = Group{group.pc, group.mask};
      }
      park(warp, group);
    }
  }
  arrived_[static_cast<std::size_t>(barrier)] = 0;
  expected_[static_cast<std::size_t>(barrier)] = 0;
  ++worker_.barriers;
  if (worker_.observer != nullptr) worker_.observer->on_barrier(pc);
}

// Waits for phases may end before the phase does (PTX ISA, mbarrier.try_wait: "a system-dependent time
// limit"), and a loop may have another way out.
bool Executor::time_out() {
  constexpr int kMost = 64;
  bool any = false;
  if (++time_outs_ > kMost) return false;
  for (Warp& warp : warps_)
    for (Group& group : warp.groups)
      if (group.barrier == kMemoryBarrier) group.barrier = -1, group.timed_out = any = true;
  return any;
}

namespace {
// "0-15 and 17"
std::string lanes_of(std::uint32_t mask) {
  std::vector<std::string> parts;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const std::uint32_t first = lane;
    while (lane < 31 && ((mask >> (lane + 1)) & 1) != 0) ++lane;
    parts.push_back(std::to_string(first) + (lane > first ? "-" + std::to_string(lane) : ""));
  }
  std::string text;
  for (std::size_t p = 0; p < parts.size(); ++p)
    text += (p == 0 ? "" : p + 1 == parts.size() ? " and " : ", ") + parts[p];
  return text;
}
}  // namespace

// ", others wait at line 12": where the threads are that this barrier misses.
std::string Executor::others_at(const Group& missing) const {
  for (const Warp& warp : warps_)
    for (const Group& group : warp.groups) {
      if (group.barrier == missing.barrier) continue;
      const std::uint32_t pc = is_block_barrier(group.barrier) ? group.pc - 1 : group.pc;
      const Place place = ptx::place_of(*worker_.program, *worker_.function, pc);
      if (place.line > 0) return ", others wait at line " + std::to_string(place.line);
    }
  return "";
}

// "; warp 4 waits at line 63 at the barrier full[0]: ...": by where they wait, who waits beside this one.
std::string Executor::others_at_phases(const Group& here) const {
  std::string text;
  std::vector<std::uint32_t> told{here.pc};
  for (const Warp& warp : warps_)
    for (const Group& group : warp.groups) {
      if (group.barrier != kMemoryBarrier || std::ranges::find(told, group.pc) != told.end()) continue;
      told.push_back(group.pc);
      const Place place = ptx::place_of(*worker_.program, *worker_.function, group.pc);
      text += "; warp " + std::to_string(warp.index) + " waits at line " + std::to_string(place.line) +
              " at " + words_of_phase(warp, group);
    }
  return text;
}

std::string Executor::words_of_wait(const Warp& warp, const Group& group) const {
  if (group.barrier == kMemoryBarrier)
    return "waits for ever at " + words_of_phase(warp, group) + others_at_phases(group);
  if (group.barrier == kGroupBarrier)
    return "waits in wgmma.wait_group for the other warps of its warp group, which do not multiply with it" +
           others_at_phases(group);
  if (group.barrier == kWarpBarrier)
    return "waits with lanes " + lanes_of(group.mask) + " for lanes " + lanes_of(group.needed & ~group.mask) +
           " of its warp, which never come";
  if (group.barrier == kClusterBarrier)
    return "waits at cluster.sync() for threads of its cluster that never come there";
  std::uint32_t waiting = 0, alive = 0;
  for (const Warp& w : warps_)
    for (const Group& g : w.groups) {
      alive += static_cast<std::uint32_t>(__builtin_popcount(g.mask));
      if (g.barrier == group.barrier) waiting += static_cast<std::uint32_t>(__builtin_popcount(g.mask));
    }
  return "waits at a barrier that cannot complete: " + grouped(waiting) + " threads are at barrier " +
         std::to_string(group.barrier) + ", " +
         grouped(group.barrier_threads != 0 ? group.barrier_threads : alive) + " are expected" +
         others_at(group);
}

namespace {
std::string_view fix_of_wait(int barrier) {
  switch (barrier) {
    case kMemoryBarrier:
      return "let as many threads arrive in each phase as init() was told";
    case kClusterBarrier:
      return "let every thread of all blocks of the cluster call cluster.sync() equally often";
    case kGroupBarrier:
      return "let whole warp groups take a role: four warps from a multiple of four on";
    case kWarpBarrier:
      return "name in the mask only lanes that come here";
    default:
      return "let every thread of the block reach the same barrier";
  }
}
}  // namespace

// How much a wait says of why nothing goes on: most where a barrier wants more threads than there are, least where those that
// it wants wait at a barrier in memory themselves.
int Executor::worth_telling(const Warp& warp, const Group& group) const {
  if (group.barrier == kWarpBarrier)
    return std::ranges::any_of(warp.groups,
                               [&](const Group& other) {
                                 return other.barrier == kMemoryBarrier &&
                                        (other.mask & group.needed & ~group.mask) != 0;
                               })
               ? 0
               : 1;
  if (!is_block_barrier(group.barrier) || group.barrier_threads == 0) return 1;
  std::uint32_t most = arrived_[static_cast<std::size_t>(group.barrier)];
  for (const Warp& each : warps_) most += each.groups.empty() ? 0 : 32;
  return most < group.barrier_threads ? 2 : 1;
}

// No warp can go on: says which warps wait, and where.
void Executor::report_stuck() {
  Warp* told = nullptr;
  const Group* group = nullptr;
  int worth = -1;
  for (Warp& warp : warps_)
    for (const Group& each : warp.groups)
      if (const int of_this = each.barrier < 0 ? -1 : worth_telling(warp, each); of_this > worth)
        told = &warp, group = &each, worth = of_this;
  if (told == nullptr) return;
  MicroOp at;
  at.pc = is_block_barrier(group->barrier) ? group->pc - 1 : group->pc;
  const bool waits_for_ever = group->barrier == kMemoryBarrier || group->barrier == kGroupBarrier;
  const auto kind = waits_for_ever ? Fault::Kind::deadlock : Fault::Kind::barrier;
  fault(*told, &at, kind, static_cast<std::uint32_t>(__builtin_ctz(group->mask)), 0,
        words_of_wait(*told, *group), std::string(fix_of_wait(group->barrier)));
}

}  // namespace warplens::emulator
