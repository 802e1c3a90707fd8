// Blocks that wait for others which run one after the other: at a barrier of the grid that is made of atomics,
// a block waits for those that have not begun. It is put aside until they have, as a device would run them at
// the same time.
#include <algorithm>

#include "engine/emulator/execution/executor.hpp"

namespace warplens::emulator {

namespace {
// Slices that leave a warp as it was, behind which it waits for another block; behind which nobody changes that.
constexpr std::uint32_t kStill = 1, kStillForGood = 8;
// Turns of a small loop that waits: enough where other blocks wait already.
constexpr std::uint32_t kSpins = 8;

bool can_go_on(const Warp& warp) {
  return std::ranges::any_of(warp.groups, [](const Group& group) { return group.barrier < 0; });
}

// Whether every warp that could go on has had so many slices for nothing. False where none could.
bool stand_still(const std::vector<Warp>& warps, std::uint32_t slices) {
  return std::ranges::any_of(warps, can_go_on) && std::ranges::all_of(warps, [&](const Warp& warp) {
           return !can_go_on(warp) || warp.still >= slices;
         });
}
}  // namespace

bool Executor::waits_for_blocks() const {
  if (stand_still(warps_, kStill)) return true;
  return !aside_.empty() && std::ranges::any_of(warps_, can_go_on) &&
         std::ranges::all_of(warps_,
                             [](const Warp& warp) { return !can_go_on(warp) || warp.spins >= kSpins; });
}

void Executor::put_aside() { exchange(aside_.emplace_back()); }

std::vector<std::uint64_t> Executor::run_aside() {
  const bool for_good = std::ranges::all_of(
      aside_, [](const Context& context) { return stand_still(context.warps, kStillForGood); });
  may_wait_ = !for_good;
  std::vector<std::uint64_t> ended;
  for (Context& context : aside_) {
    exchange(context);
    bool alive = true;
    do {
      const bool progress = take_turns(alive);
      if (!worker_.fault && alive && !progress && !time_out()) report_stuck();
    } while (for_good && alive && !worker_.fault);
    if (worker_.fault) return ended;
    if (!alive) ended.push_back(worker_.block);
    context.has_ended = !alive;
    exchange(context);
    if (for_good) break;
  }
  std::erase_if(aside_, [](const Context& context) { return context.has_ended; });
  return ended;
}

}  // namespace warplens::emulator
