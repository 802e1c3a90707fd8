// BlockChecker: barriers in shared memory (mbarrier, which cuda::barrier and cuda::pipeline are made of), the
// copies that arrive at them, and the barrier of a cluster.
#include <cstring>

#include "engine/check/block_checker.hpp"
#include "engine/check/order/lanes.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Space;

namespace {

constexpr std::uint32_t kBytes = 8;  // of a barrier

bool waits(Opcode opcode) {
  return opcode >= Opcode::mbarrier_test_wait && opcode <= Opcode::mbarrier_try_wait_parity;
}
bool by_parity(Opcode opcode) {
  return opcode == Opcode::mbarrier_test_wait_parity || opcode == Opcode::mbarrier_try_wait_parity;
}
bool arrives_with_copies(Opcode opcode) {
  return opcode == Opcode::cp_async_mbarrier_arrive || opcode == Opcode::cp_async_mbarrier_arrive_noinc;
}

// What one phase of a barrier is known by: those that arrive in it tell those that wait for it.
std::uint64_t phase_of(std::uint64_t address, bool odd) {
  return emulator::kSharedWindow | ((address & emulator::kOwnOffset) + (odd ? 1 : 0));
}

}  // namespace

// Of the barrier that an operand names, the phase that it is in.
std::uint64_t BlockChecker::phase_at(const WatchedStep& step, std::size_t operand, std::uint32_t lane) const {
  std::array<std::uint64_t, 32> address;
  step.values(operand, address);
  std::uint64_t bits = 0;
  const std::uint64_t offset = address[lane] & emulator::kOwnOffset;
  if (offset + kBytes <= scene_.facts().shared_bytes) std::memcpy(&bits, step.shared() + offset, kBytes);
  return phase_of(address[lane], emulator::is_odd_phase(bits));
}

void BlockChecker::arrive_at(const WatchedStep& step, std::uint32_t lane, std::uint64_t phase) {
  order_.fence(step.warp, 1u << lane, true);
  order_.release(step.warp, 1u << lane, phase);
  arrived_[{phase, step.warp}] |= 1u << lane;
  meetings_.memory_changed();
}

void BlockChecker::at_shared_barrier(const WatchedStep& step) {
  const Opcode opcode = step.instruction->opcode;
  const bool made = opcode == Opcode::mbarrier_init || opcode == Opcode::mbarrier_inval;
  const std::size_t operand = step.instruction->destinations;
  check_address(step, operand);
  std::array<std::uint64_t, 32> address;
  step.values(operand, address);
  Touch one = touch_of(step, made ? Access::store : Access::atomic, kBytes);
  std::uint16_t origin = 0;
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    one.address = address[lane];
    one.lanes = 1u << lane;
    touch(one, origin);
  });
  if (waits(opcode)) return wait_at(step);
  if (operand != 0) registers_.define(step, 0, 0);  // the state that an arrival returns
  const bool only_counts = opcode == Opcode::mbarrier_expect_tx || opcode == Opcode::mbarrier_complete_tx;
  if (only_counts) note_expected(step, 0, 1);
  if (opcode == Opcode::mbarrier_arrive_expect_tx || opcode == Opcode::mbarrier_arrive_drop_expect_tx)
    note_expected(step, operand, operand + 1);
  if (made || only_counts) return meetings_.memory_changed();
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    const std::uint64_t phase = phase_at(step, operand, lane);
    if (arrives_with_copies(opcode)) tie_copies(step, lane, phase);
    arrive_at(step, lane, phase);
  });
}

// Who waits for a phase knows what was done before the arrivals in it, and its copies have come.
void BlockChecker::wait_at(const WatchedStep& step) {
  std::array<std::uint64_t, 32> address, phases;
  step.values(1, address);
  step.values(2, phases);
  std::uint32_t met = step.exec;
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    const bool odd =
        by_parity(step.instruction->opcode) ? (phases[lane] & 1) != 0 : emulator::is_odd_phase(phases[lane]);
    const std::uint64_t phase = phase_of(address[lane], odd);
    order_.acquire(step.warp, 1u << lane, phase);
    if (const auto arrived = arrived_.find({phase, step.warp}); arrived != arrived_.end())
      met |= arrived->second;
    std::erase_if(arriving_, [&](const Arriving& one) {
      if (one.phase != phase) return false;
      for_each_word(one.offset, one.width, [](Cell& cell) { cell.in_flight = false; });
      return true;
    });
    meetings_.looked_at(step.warp, 1u << lane, {true, address[lane] & emulator::kOwnOffset, kBytes});
  });
  order_.meet(step.warp, met, step.alive);
  meetings_.wait_beyond(step.warp);
  registers_.define(step, 0, 0);
}

// Of all bytes of a word of the own shared memory.
Mark BlockChecker::mark_of_write(std::uint32_t warp, std::uint32_t pc, std::uint32_t lane) {
  Stamp write = order_.stamp(warp, pc, 1u << lane);
  write.bytes = 15;
  return shared_.moments().mark(write);
}

// The copies that the lane has issued come with its arrival.
void BlockChecker::tie_copies(const WatchedStep& step, std::uint32_t lane, std::uint64_t phase) {
  std::erase_if(copies_[step.warp], [&](const Copy& one) {
    if (one.lane != lane) return false;
    for_each_word(one.offset, one.width,
                  [&](Cell& cell) { cell.write = mark_of_write(step.warp, one.pc, lane); });
    arriving_.push_back({phase, one.offset, one.width});
    return true;
  });
}

Phase& BlockChecker::phase_of_blocks(std::uint64_t first, std::uint32_t number) {
  Phase& phase = companions_.phases[{first, number}];
  phase.number = number;
  return phase;
}

// grid.sync(): one thread of each block adds to a word of the grid's workspace, and then looks until all
// have.
void BlockChecker::at_grid_barrier(const WatchedStep& step) {
  if (step.instruction->opcode == Opcode::ld) {
    if (grid_phases_ > 0) order_.wait(step.warp, phase_of_blocks(0, grid_phases_));
    return;
  }
  order_.arrive(step.warp, phase_of_blocks(0, ++grid_phases_));
}

void BlockChecker::at_cluster_barrier(const WatchedStep& step) {
  const auto together = scene_.facts().kernel->together();
  const std::uint64_t first = emulator::block_of_rank(block_, 0, together.cluster, scene_.facts().grid);
  auto& phases = cluster_phases_[step.warp];
  const bool arrives = step.instruction->opcode == Opcode::barrier_cluster_arrive;
  const std::uint32_t lane = lowest(step.exec);
  if (!arrives && phases[lane] == 0) return;
  if (arrives) {
    for_each_lane(step.exec, [&](std::uint32_t each) { ++phases[each]; });
    order_.arrive(step.warp, phase_of_blocks(first, phases[lane]));
    return meetings_.changed();
  }
  order_.wait(step.warp, phase_of_blocks(first, phases[lane]));
  order_.meet(step.warp, step.exec, step.alive);
  meetings_.wait_beyond(step.warp);
}

}  // namespace warplens::check
