#include "engine/explain/payoff/next_gain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/payoff/payoff.hpp"

namespace warplens::explain {
namespace {

constexpr double kNothing = 0.01;  // less is not worth a number

// For the same work.
double seconds_of(const Side& step, const Side& kernel) {
  return step.predicted()->seconds / work_of_other(kernel.count, step.count);
}

bool is_known(const Result<Side>& side) {
  return side && side->predicted() != nullptr && side->count.missing.empty() && side->count.work > 0;
}

}  // namespace

bool pays(const NextGain& step) { return step.gain >= kLeastGain; }

std::vector<NextGain> next_gains(Sides& sides, const run::Request& kernel, std::span<const LaterStep> steps,
                                 const std::atomic<bool>& cancel) {
  std::vector<NextGain> gains;
  const auto own = sides.of(kernel, true, cancel);
  if (!is_known(own)) return gains;
  for (const LaterStep& step : steps) {
    const auto side = sides.of(step.run, true, cancel);
    if (cancel) return {};
    if (!is_known(side) || side->count.problem != own->count.problem) continue;
    NextGain next{step.run.spec.id, step.number};
    next.gain = 1 - seconds_of(*side, *own) / own->predicted()->seconds;
    for (std::size_t cost = 0; cost < kCosts; ++cost)
      next.has_less[cost] = is_lower(side->count, own->count, static_cast<CostKind>(cost));
    gains.push_back(std::move(next));
  }
  return gains;
}

const NextGain* next_for(std::span<const NextGain> steps, CostKind cost) {
  const NextGain* first = nullptr;
  for (const NextGain& step : steps) {
    if (!step.has_less[static_cast<std::size_t>(cost)]) continue;
    if (pays(step)) return &step;
    if (first == nullptr) first = &step;
  }
  return first != nullptr ? first : steps.empty() ? nullptr : &steps.front();
}

Said next_words(const NextGain& step) {
  const Claim number = claim::of(claim::words("step " + step.number, Quantity::step_number,
                                              std::strtod(step.number.c_str(), nullptr), Scope::two_steps),
                                 step.kernel);
  if (pays(step)) {
    Claim gained{.kind = ClaimKind::fix, .quantity = Quantity::gain_of_step, .number = step.gain};
    gained.scope = Scope::two_steps, gained.shown = "On to step " + step.number, gained.of = step.kernel;
    return say("{}", {gained, number});
  }
  const bool is_nothing = step.gain < kNothing;
  const Claim gain =
      claim::of(claim::words(is_nothing ? "nothing" : fmt::format("only {:.0f} %", 100 * step.gain),
                             is_nothing ? Quantity::no_gain_of_step : Quantity::gain_of_step,
                             is_nothing ? 0 : step.gain, Scope::two_steps),
                step.kernel);
  return say("{} gains {} here", {number, gain});
}

}  // namespace warplens::explain
