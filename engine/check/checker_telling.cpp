// BlockChecker: how threads tell each other something, by atomics and volatile accesses, flags and locks.
#include "engine/check/accesses.hpp"
#include "engine/check/block_checker.hpp"
#include "engine/check/order/lanes.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Space;

// What replaces a word, such as a lock's, tells others that they may go on, or have to wait.
void BlockChecker::replace(const WatchedStep& step, std::uint32_t lane, std::uint64_t address,
                           std::uint32_t moment) {
  const ptx::Instruction& i = *step.instruction;
  if (!may_be_lock(i)) return;
  const ThreadId thread{block_, step.warp, lane};
  if (space_at(i.space, address) == Space::shared) address |= emulator::kSharedWindow;
  if (uses_[step.pc].listens) companions_.hand_overs.take(thread, address, step.pc);
  companions_.hand_overs.give(thread, address, width_of(i), step.pc, moment);
  meetings_.replaced({thread, step.pc}, address);
}

// Atomics, and volatile accesses, are how threads tell each other that something is there.
void BlockChecker::synchronize(const WatchedStep& step, std::uint32_t lanes, std::uint64_t address,
                               bool acquires, bool releases) {
  const ptx::Instruction& i = *step.instruction;
  const Space space = space_at(i.space, address);
  const bool shared = space == Space::shared;
  if (shared && i.space == Space::shared) address |= emulator::kSharedWindow;
  if (space == Space::local) return;
  if (!shared && scene_.facts().kernel->together().whole_grid && arrays_.find(address, 1) == nullptr) {
    const emulator::Allocation* place = scene_.facts().memory->find(address, 1);
    if (place != nullptr && place->internal) at_grid_barrier(step);
  }
  if (acquires) {
    order_.acquire(step.warp, uses_[step.pc].listens ? lanes : 0, address);
    meetings_.looked_at(step.warp, lanes, {shared, address, width_of(i)});
  }
  if (releases && uses_[step.pc].releases) order_.fence(step.warp, lanes, i.block_scope);
  if (releases) order_.release(step.warp, lanes, address);
}

// Taken where a result says whether it was free, given back by any store.
void BlockChecker::change_lock(const WatchedStep& step, LockOrder::Change change) {
  const Space space = space_at(step.instruction->space, change.address);
  if (space == Space::local) return;
  change.address = word_of(step, change.address);
  companions_.locks.put(change);
  const bool takes = step.instruction->opcode == Opcode::atom && uses_[step.pc].listens;
  if (takes) companions_.locks.take(change, loop_around(scene_.function(), step.pc));
  if (scene_.facts().compute_capability >= kFirstWithOwnWays) return;
  companions_.lane_locks.put(scene_, change.thread, change.address, change.width, change.pc);
  if (takes) companions_.lane_locks.take(change.thread, change.address);
}

// By words of global memory blocks tell each other that something is there, with a fence or without.
void BlockChecker::set_flag(const WatchedStep& step, std::uint64_t address, std::uint32_t moment) {
  if (space_at(step.instruction->space, address) == Space::global)
    companions_.hand_overs.set({block_, step.warp, 0}, address, width_of(*step.instruction), step.pc, moment);
}

void BlockChecker::hear_flag(const WatchedStep& step, std::uint64_t address) {
  if (space_at(step.instruction->space, address) == Space::global)
    companions_.hand_overs.hear({block_, step.warp, 0}, address, step.pc);
}

}  // namespace warplens::check
