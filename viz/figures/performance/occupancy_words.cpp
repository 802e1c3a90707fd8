// What the occupancy figure says in a sentence.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/explain/payoff/payoff.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

// Whether more warps fit with this use.
int warps_with(const OccupancyInput& input, const device::ResourceUsage& use) {
  const auto fit = device::occupancy(input.device, use);
  return fit ? fit->warps_per_sm : 0;
}

// "40 registers a thread would let 1 block more in"; empty where no smaller use does.
std::string with_fewer_registers(const OccupancyInput& input, const device::Occupancy& fit) {
  device::ResourceUsage use = input.use;
  while (--use.registers_per_thread > 15)
    if (warps_with(input, use) > fit.warps_per_sm)
      return fmt::format("{} registers a thread instead of {}: then a further block fits",
                         use.registers_per_thread, input.use.registers_per_thread);
  return "";
}

std::string with_less_shared(const OccupancyInput& input, const device::Occupancy& fit) {
  device::ResourceUsage use = input.use;
  const std::int64_t unit = std::max(input.device.shared_allocation_unit, 128);
  for (use.shared_bytes_per_block -= use.shared_bytes_per_block % unit; use.shared_bytes_per_block > 0;
       use.shared_bytes_per_block -= unit)
    if (warps_with(input, use) > fit.warps_per_sm)
      return fmt::format("{} of shared memory a block instead of {}: then a further block fits",
                         plot::si(static_cast<double>(use.shared_bytes_per_block), 3, " ", "B"),
                         plot::si(static_cast<double>(input.use.shared_bytes_per_block), 3, " ", "B"));
  return "";
}

// The size nearest to that of the blocks with which an SM is fullest.
std::string with_other_blocks(const OccupancyInput& input, const device::Occupancy& fit) {
  device::ResourceUsage use = input.use;
  int most = fit.warps_per_sm, best = 0;
  const auto far = [&](int threads) { return std::abs(threads - input.use.threads_per_block); };
  for (int threads = 32; threads <= input.device.max_threads_per_block; threads *= 2) {
    use.threads_per_block = threads;
    const int warps = warps_with(input, use);
    if (warps > most || (warps == most && best > 0 && far(threads) < far(best))) most = warps, best = threads;
  }
  return best == 0 ? "" : fmt::format("blocks of {} threads: then {} warps fit", best, most);
}

std::string fix_of(const OccupancyInput& input, const device::Occupancy& fit) {
  if (fit.warps_per_sm >= input.device.max_warps_per_sm) return "nothing to fix: an SM holds no more warps";
  const auto stops = [&](device::Limiter limiter) { return std::ranges::count(fit.limiters, limiter) > 0; };
  if (fit.limiters.size() > 1 || input.use.registers_per_thread <= 0) return "";
  if (stops(device::Limiter::registers)) return with_fewer_registers(input, fit);
  if (stops(device::Limiter::shared)) return with_less_shared(input, fit);
  return with_other_blocks(input, fit);
}

// Warps are a means: "12.5 % is enough here: the multiply-add units are busy 93 % of the time". Nothing of
// numbers that no kernel has.
std::string fix_that_pays(const OccupancyInput& input, const device::Occupancy& fit,
                          const explain::Payoffs* payoffs) {
  const std::string fix = fix_of(input, fit);
  const bool is_full = fit.warps_per_sm >= input.device.max_warps_per_sm;
  const bool is_by_hand = input.kernel->threads_per_block != input.use.threads_per_block ||
                          input.kernel->registers_per_thread != input.use.registers_per_thread ||
                          input.kernel->shared_bytes_per_block != input.use.shared_bytes_per_block;
  if (is_full || fix.empty()) return fix;
  if (payoffs == nullptr || is_by_hand || !payoffs->with_more_warps) return "";
  if (*payoffs->with_more_warps >= explain::kLeastGain) return fix;
  const std::string enough = fmt::format(
      "{} % is enough here", plot::plain(100.0 * fit.warps_per_sm / input.device.max_warps_per_sm, 3));
  const std::string holds = explain::what_holds(payoffs->now);
  return enough + (holds.empty() ? ": one block more on each SM gains nothing" : ": " + holds);
}

}  // namespace

explain::Explanation occupancy_words(const Subject& subject) {
  if (subject.occupancy != nullptr) return occupancy_words(*subject.occupancy);
  if (subject.run == nullptr || !subject.run->complete) return {};
  return occupancy_words(occupancy_of(*subject.run, subject.by_hand), subject.payoffs.get());
}

explain::Explanation occupancy_words(const OccupancyInput& input, const explain::Payoffs* payoffs) {
  const auto fit = device::occupancy(input.device, input.use);
  if (!fit) return {};
  constexpr std::array kLimits = {"the warps that an SM may hold", "the blocks that an SM may hold",
                                  "its registers", "its shared memory"};
  std::string why;
  for (const device::Limiter limiter : fit->limiters)
    why += fmt::format("{}{}", why.empty() ? "" : " and ", kLimits[static_cast<std::size_t>(limiter)]);
  explain::Explanation said;
  said.what = fmt::format("{} of {} warps on each SM", fit->warps_per_sm, input.device.max_warps_per_sm);
  const bool is_one = fit->limiters.size() == 1 && fit->limiters.front() == device::Limiter::shared;
  if (!why.empty()) said.why = why + (is_one ? " is used up" : " are used up");
  said.rule = "occupancy";
  said.fix = input.kernel ? fix_that_pays(input, *fit, payoffs) : fix_of(input, *fit);
  if (const auto each = too_few_blocks(input, *fit)) {
    const double warps = *each * fit->warps_per_sm / fit->blocks_per_sm;
    said.what =
        fmt::format("{} of {} warps on each SM", plot::plain(warps, 2), input.device.max_warps_per_sm);
    said.why = "more blocks would fit, but the grid has no more";
    said.fix = "";
  }
  if (fit->blocks_per_sm == 0) said.verdict = explain::Verdict::costly;
  // Warps were bought with registers.
  if (!input.spills.what.empty()) {
    said.verdict = explain::Verdict::costly;
    said.fix = input.kernel ? explain::that_pays(input.spills, payoffs).fix : input.spills.fix;
    said.why += (said.why.empty() ? "" : "; ") + input.spills.what;
  }
  return said;
}

}  // namespace warplens::figures
