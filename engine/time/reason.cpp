#include "engine/time/reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace warplens::time {
namespace {

// What warps that do not run wait for; those ready to run wait for nothing.
constexpr std::array<std::pair<Stall, std::string_view>, 6> kWaits = {
    {{Stall::wait, "the instruction before"},
     {Stall::long_scoreboard, "global memory"},
     {Stall::short_scoreboard, "shared memory or L1"},
     {Stall::barrier, "the others of their block"},
     {Stall::pipe, "the arithmetic units"},
     {Stall::memory_throttle, "the queue to memory"}}};

// Less than this is no reason: shares of the warps' time, and shares of instructions.
constexpr double kLeastShare = 0.03, kLeastMore = 0.05;

double share_of(const Prediction& p, Stall stall) { return p.stalls[static_cast<std::size_t>(stall)]; }

}  // namespace

std::string why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other) {
  const double more =
      quicker.warp_instructions > 0 ? slower.warp_instructions / quicker.warp_instructions - 1 : 0;
  if (more >= kLeastMore)
    return fmt::format("it executes {:.0f} % more instructions than {}", 100 * more, other);
  if (slower.tail - quicker.tail >= kLeastShare)
    return fmt::format("its last blocks leave {:.0f} % of the device idle, against {:.0f} % in {}",
                       100 * slower.tail, 100 * quicker.tail, other);
  const auto added = [&](const auto& wait) {
    return share_of(slower, wait.first) - share_of(quicker, wait.first);
  };
  const auto& most = *std::ranges::max_element(kWaits, {}, added);
  if (added(most) < kLeastShare) return {};
  return fmt::format("its warps wait {:.0f} % of their time for {}, against {:.0f} % in {}",
                     100 * share_of(slower, most.first), most.second, 100 * share_of(quicker, most.first),
                     other);
}

}  // namespace warplens::time
