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
     {Stall::short_scoreboard, "shared memory"},
     {Stall::barrier, "the others of their block"},
     {Stall::pipe, "the arithmetic units"},
     {Stall::memory_throttle, "the queue to memory"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kUnitNames = {
    {{"issue", "the issue of instructions"},
     {"fma", "the multiply-add units"},
     {"alu", "the integer units"},
     {"shared", "shared memory"},
     {"l1", "L1"},
     {"l2", "L2"},
     {"dram", "memory"}}};

// Less than this is no reason: shares of the warps' time, and shares of instructions.
constexpr double kLeastShare = 0.03, kLeastMore = 0.05;

double share_of(const Prediction& p, Stall stall) { return p.stalls[static_cast<std::size_t>(stall)]; }

std::string unit_name(std::string_view limiter) {
  const auto found =
      std::ranges::find(kUnitNames, limiter, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == kUnitNames.end() ? limiter : found->second);
}

}  // namespace

std::string why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other) {
  const double more =
      quicker.warp_instructions > 0 ? slower.warp_instructions / quicker.warp_instructions - 1 : 0;
  if (more >= kLeastMore)
    return fmt::format("it executes {:.0f} % more instructions than {}", 100 * more, other);
  if (slower.tail - quicker.tail >= kLeastShare)
    return fmt::format("its last blocks leave {:.0f} % of the device idle, those of {} {:.0f} %",
                       100 * slower.tail, other, 100 * quicker.tail);
  const auto added = [&](const auto& wait) {
    return share_of(slower, wait.first) - share_of(quicker, wait.first);
  };
  const auto& most = *std::ranges::max_element(kWaits, {}, added);
  if (added(most) < kLeastShare) return {};
  return fmt::format("its warps wait {:.0f} % of their time for {}, those of {} {:.0f} %",
                     100 * share_of(slower, most.first), most.second, other,
                     100 * share_of(quicker, most.first));
}

std::string what_limits(const Prediction& prediction) {
  const auto wait = *std::ranges::max_element(
      kWaits, {}, [&](const auto& each) { return share_of(prediction, each.first); });
  return fmt::format("{} is busiest, and warps wait {:.0f} % of their time for {}",
                     unit_name(prediction.limiter), 100 * share_of(prediction, wait.first), wait.second);
}

}  // namespace warplens::time
