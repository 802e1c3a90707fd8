// What the occupancy figure says in a sentence.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::keep, explain::Quantity, explain::Said, explain::say;

// Whether more warps fit with this use.
int warps_with(const OccupancyInput& input, const device::ResourceUsage& use) {
  const auto fit = device::occupancy(input.device, use);
  return fit ? fit->warps_per_sm : 0;
}

Claim of_device(std::string words, Quantity quantity, double number) {
  return explain::claim::words(std::move(words), quantity, number, explain::Scope::device);
}

// "40 registers a thread would let 1 block more in"; empty where no smaller use does.
Said with_fewer_registers(const OccupancyInput& input, const device::Occupancy& fit) {
  device::ResourceUsage use = input.use;
  while (--use.registers_per_thread > 15)
    if (warps_with(input, use) > fit.warps_per_sm)
      return say("{} registers a thread instead of {}: then a further block fits",
                 {of_device(std::to_string(use.registers_per_thread), Quantity::registers_for_more,
                            use.registers_per_thread),
                  of_device(std::to_string(input.use.registers_per_thread), Quantity::registers,
                            input.use.registers_per_thread)});
  return {};
}

Said with_less_shared(const OccupancyInput& input, const device::Occupancy& fit) {
  device::ResourceUsage use = input.use;
  const std::int64_t unit = std::max(input.device.shared_allocation_unit, 128);
  const auto bytes = [](std::int64_t amount, Quantity quantity) {
    const auto number = static_cast<double>(amount);
    return of_device(plot::si(number, 3, " ", "B"), quantity, number);
  };
  for (use.shared_bytes_per_block -= use.shared_bytes_per_block % unit; use.shared_bytes_per_block > 0;
       use.shared_bytes_per_block -= unit)
    if (warps_with(input, use) > fit.warps_per_sm)
      return say("{} of shared memory a block instead of {}: then a further block fits",
                 {bytes(use.shared_bytes_per_block, Quantity::shared_for_more),
                  bytes(input.use.shared_bytes_per_block, Quantity::shared_of_block)});
  return {};
}

// The size nearest to that of the blocks with which an SM is fullest.
Said with_other_blocks(const OccupancyInput& input, const device::Occupancy& fit) {
  device::ResourceUsage use = input.use;
  int most = fit.warps_per_sm, best = 0;
  const auto far = [&](int threads) { return std::abs(threads - input.use.threads_per_block); };
  for (int threads = 32; threads <= input.device.max_threads_per_block; threads *= 2) {
    use.threads_per_block = threads;
    const int warps = warps_with(input, use);
    if (warps > most || (warps == most && best > 0 && far(threads) < far(best))) most = warps, best = threads;
  }
  if (best == 0) return {};
  return say("blocks of {} threads: then {} warps fit",
             {of_device(std::to_string(best), Quantity::threads_for_more, best),
              of_device(std::to_string(most), Quantity::warps_for_more, most)});
}

Said fix_of(const OccupancyInput& input, const device::Occupancy& fit) {
  const int full = input.device.max_warps_per_sm;
  if (fit.warps_per_sm >= full)
    return say("{}",
               {of_device("nothing to fix: an SM holds no more warps", Quantity::warps_that_fit, full)});
  const auto stops = [&](device::Limiter limiter) { return std::ranges::count(fit.limiters, limiter) > 0; };
  if (fit.limiters.size() > 1 || input.use.registers_per_thread <= 0) return {};
  if (stops(device::Limiter::registers)) return with_fewer_registers(input, fit);
  if (stops(device::Limiter::shared)) return with_less_shared(input, fit);
  return with_other_blocks(input, fit);
}

// Warps are a means: "12.5 % is enough here: the multiply-add units are busy 93 % of the kernel's cycles". Nothing of
// numbers that no kernel has.
Said fix_that_pays(const OccupancyInput& input, const device::Occupancy& fit,
                   const explain::Payoffs* payoffs) {
  Said fix = fix_of(input, fit);
  const bool is_full = fit.warps_per_sm >= input.device.max_warps_per_sm;
  const bool is_by_hand = input.kernel->threads_per_block != input.use.threads_per_block ||
                          input.kernel->registers_per_thread != input.use.registers_per_thread ||
                          input.kernel->shared_bytes_per_block != input.use.shared_bytes_per_block;
  if (is_full || fix.text.empty()) return fix;
  if (payoffs == nullptr || is_by_hand || !payoffs->with_more_warps) return {};
  const double gain = *payoffs->with_more_warps;
  const auto of_gain = [&](std::string words, Quantity quantity, double number) {
    return explain::claim::of(of_device(std::move(words), quantity, number),
                              std::string(explain::kOfFewWarps));
  };
  if (gain >= explain::kLeastGain) {
    Claim gained = of_gain(fix.text, Quantity::gain, gain);
    gained.kind = explain::ClaimKind::fix;
    fix.claims.push_back(std::move(gained));
    return fix;
  }
  // One block more may be too little to tell, or cost spills: where many more would gain, these are not enough.
  if (payoffs->with_most_warps.value_or(0) >= explain::kLeastGain)
    return say("one more block on each SM {}", {of_gain("gains too little", Quantity::gain_too_small, 0)});
  const double share = 1.0 * fit.warps_per_sm / input.device.max_warps_per_sm;
  Said enough = say("{} is enough here: ",
                    {of_device(plot::plain(100 * share, 3) + " %", Quantity::share_of_warps, share)});
  Said holds = explain::what_holds(payoffs->now);
  if (holds.text.empty())
    holds = say("one more block on each SM {}", {of_gain("gains nothing", Quantity::gain_too_small, 0)});
  enough.text += holds.text;
  add(enough.claims, std::move(holds.claims));
  return enough;
}

// "one more block would exceed its registers": some of them may be left.
Said limits_of(const device::Occupancy& fit) {
  constexpr std::array kLimits = {"the warps that an SM may hold", "the blocks that an SM may hold",
                                  "its registers", "its shared memory"};
  Said said;
  for (const device::Limiter limiter : fit.limiters) {
    const std::string words = kLimits[static_cast<std::size_t>(limiter)];
    said.text += (said.text.empty() ? "" : " and ") +
                 keep(said.claims, explain::claim::of(of_device(words, Quantity::used_up, 1), words));
  }
  if (!said.text.empty()) said.text.insert(0, "one more block would exceed ");
  return said;
}

// warps: that an SM has. pattern: with places for them, for what would be most, and for "each SM".
Said warps_words(const OccupancyInput& input, std::string_view pattern, std::string words, double warps) {
  const int most = input.device.max_warps_per_sm;
  return say(pattern,
             {of_device(std::move(words), Quantity::warps_that_fit, warps),
              of_device(std::to_string(most), Quantity::most_warps, most),
              explain::claim::every("each SM", Quantity::warps_that_fit, warps, explain::Scope::device)});
}

}  // namespace

explain::Explanation occupancy_words(const Subject& subject) {
  if (subject.occupancy != nullptr) return occupancy_words(*subject.occupancy);
  if (subject.run == nullptr || !subject.run->complete) return {};
  return occupancy_words(occupancy_of(*subject.run, subject.by_hand), subject.known.payoffs.get());
}

explain::Explanation occupancy_words(const OccupancyInput& input, const explain::Payoffs* payoffs) {
  const auto fit = device::occupancy(input.device, input.use);
  if (!fit) return {};
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  const auto take = [&](std::string& part, Said words) {
    part = std::move(words.text);
    add(said.claims, std::move(words.claims));
  };
  if (has_idle_sms(input) && fit->blocks_per_sm > 0) {
    const double sms = input.device.sm_count, blocks = static_cast<double>(input.grid);
    take(said.what,
         say("{} of {} have {}",
             {explain::claim::number(Quantity::idle_sms, sms - blocks, explain::Scope::device),
              explain::claim::amount(Quantity::sms, sms, explain::Scope::device),
              explain::claim::every("no block", Quantity::idle_sms, sms - blocks, explain::Scope::device)}));
    take(said.why, say("the grid has {}; ",
                       {explain::claim::amount(Quantity::blocks, blocks, explain::Scope::kernel)}));
    Said fitting = warps_words(input, "{} of {} warps would fit on {}", std::to_string(fit->warps_per_sm),
                               fit->warps_per_sm);
    said.why += fitting.text;
    add(said.claims, std::move(fitting.claims));
  } else if (const auto each = too_few_blocks(input, *fit)) {
    const double warps = *each * fit->warps_per_sm / fit->blocks_per_sm;
    take(said.what, warps_words(input, "{} of {} warps are on {} on average", plot::plain(warps, 2), warps));
    take(said.why, say("more blocks would fit, but the grid has {}",
                       {of_device("no more", Quantity::blocks, static_cast<double>(input.grid))}));
  } else {
    take(said.what, warps_words(input, "{} of {} warps fit on {}", std::to_string(fit->warps_per_sm),
                                fit->warps_per_sm));
    take(said.why, limits_of(*fit));
    take(said.fix, input.kernel ? fix_that_pays(input, *fit, payoffs) : fix_of(input, *fit));
  }
  if (fit->blocks_per_sm == 0) said.verdict = explain::Verdict::costly;
  // Warps were bought with registers.
  if (!input.spills.what.empty()) {
    said.verdict = explain::Verdict::costly;
    const explain::Explanation spills =
        input.kernel ? explain::that_pays(input.spills, payoffs) : input.spills;
    said.fix = spills.fix;
    said.why += (said.why.empty() ? "" : "; ") + spills.what;
    add(said.claims, spills.claims);
  }
  explain::drop_unsaid(said);
  return said;
}

}  // namespace warplens::figures
