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

// Of exactly this launch; 0: it was not.
double recorded_seconds(const measured::RecordedSpeeds& recorded, const run::Request& launch,
                        const Side& side) {
  const auto* speed = recorded.find(launch.spec, side.count.sizes, &side.count.parameters);
  return speed != nullptr ? speed->seconds : 0;
}

bool is_known(const Result<Side>& side) {
  return side && side->predicted() != nullptr && side->count.missing.empty() && side->count.work > 0;
}

}  // namespace

bool pays(const NextGain& step) { return step.gain >= kLeastGain; }
bool mends(const NextGain& step, CostKind cost) {
  return pays(step) && step.removes[static_cast<std::size_t>(cost)];
}

std::vector<NextGain> next_gains(Sides& sides, const run::Request& kernel, std::span<const LaterStep> steps,
                                 const measured::RecordedSpeeds& recorded, const std::atomic<bool>& cancel) {
  std::vector<NextGain> gains;
  const auto own = sides.of(kernel, true, cancel);
  if (!is_known(own)) return gains;
  const double own_seconds = recorded_seconds(recorded, kernel, *own);
  for (const LaterStep& step : steps) {
    const auto side = sides.of(step.run, true, cancel);
    if (cancel) return {};
    if (!is_known(side) || side->count.problem != own->count.problem) continue;
    NextGain next{step.run.spec.id, step.number};
    next.gain = 1 - seconds_of(*side, *own) / own->predicted()->seconds;
    if (const double seconds = recorded_seconds(recorded, step.run, *side); seconds > 0 && own_seconds > 0)
      next.gain = 1 - seconds / own_seconds, next.is_recorded = true;
    for (std::size_t cost = 0; cost < kCosts; ++cost)
      next.removes[cost] = removes(side->count, own->count, static_cast<CostKind>(cost));
    gains.push_back(std::move(next));
  }
  return gains;
}

const NextGain* next_for(std::span<const NextGain> steps, CostKind cost) {
  const NextGain* first = nullptr;
  for (const NextGain& step : steps) {
    if (mends(step, cost)) return &step;
    if (first == nullptr && step.removes[static_cast<std::size_t>(cost)]) first = &step;
  }
  if (first != nullptr || steps.empty()) return first;
  return pays(steps.front()) && cost != CostKind::none ? nullptr : &steps.front();
}

namespace {

Quantity gain_quantity(const NextGain& step) {
  return step.is_recorded ? Quantity::recorded_gain_of_step : Quantity::gain_of_step;
}

// Of a recording: repeated ones differ by less than kSame.
Said recorded_words(const NextGain& step, const Claim& number) {
  constexpr double kSame = 0.015;
  const auto gain = [&](std::string words) {
    return claim::of(claim::words(std::move(words), gain_quantity(step), step.gain, Scope::two_steps),
                     step.kernel);
  };
  if (step.gain >= kSame)
    return say("{} gains {}, recorded", {number, gain(fmt::format("only {:.0f} %", 100 * step.gain))});
  return say("{} is {}, recorded", {number, gain(step.gain < -kSame ? "slower" : "as fast")});
}

}  // namespace

Said next_words(const NextGain& step) {
  const Claim number = claim::of(claim::words("step " + step.number, Quantity::step_number,
                                              std::strtod(step.number.c_str(), nullptr), Scope::two_steps),
                                 step.kernel);
  if (pays(step)) {
    Claim gained{.kind = ClaimKind::fix, .quantity = gain_quantity(step), .number = step.gain};
    gained.scope = Scope::two_steps, gained.shown = "On to step " + step.number, gained.of = step.kernel;
    return say("{}", {gained, number});
  }
  if (step.is_recorded) return recorded_words(step, number);
  const bool is_nothing = step.gain < kNothing;
  const Claim gain =
      claim::of(claim::words(is_nothing ? "nothing" : fmt::format("only {:.0f} %", 100 * step.gain),
                             is_nothing ? Quantity::no_gain_of_step : Quantity::gain_of_step,
                             is_nothing ? 0 : step.gain, Scope::two_steps),
                step.kernel);
  return say("{} gains {} here", {number, gain});
}

}  // namespace warplens::explain
