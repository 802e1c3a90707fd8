#include "engine/explain/payoff/longest_block.hpp"

#include <utility>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/made_of.hpp"

namespace warplens::explain {
namespace {

constexpr double kMuch = 0.25;        // of the time
constexpr double kNearly = 0.8;       // of what equal blocks save: then their order alone will do
constexpr double kWorthAWord = 0.15;  // of the SMs' time

}  // namespace

bool waits_for_longest(const time::Prediction& now) { return now.waits_for_longest >= kMuch; }

Said longest_block_what(const time::Prediction& now) {
  return say("the blocks' work is unequal: the device waits for the longest for {} of the kernel's time",
             {percent(Quantity::waits_for_longest, now.waits_for_longest, Scope::kernel)});
}

Said longest_block_why(const time::Prediction& now) {
  const Claim longest = rounded(Quantity::longest_block, now.longest_block, 2, Scope::kernel);
  if (now.tail < kWorthAWord) return say("the longest executes {} times the mean's instructions", {longest});
  return say("the longest executes {} times the mean's instructions; {} of the SMs' time is idle",
             {longest, claim::of(percent(Quantity::busy, now.tail, Scope::kernel), "idle")});
}

Said longest_block_fix(const time::Prediction& now) {
  if (now.longest_first >= kLeastGain && now.longest_first >= kNearly * now.waits_for_longest)
    return say("start the longest blocks first: {} less time by the model",
               {percent(Quantity::saved_by_longest_first, now.longest_first, Scope::kernel)});
  return say("split the long blocks, or hand out small pieces in turn: equal blocks take {} less time",
             {percent(Quantity::waits_for_longest, now.waits_for_longest, Scope::kernel)});
}

Explanation of_longest_block(const time::Prediction& now) {
  return made_of(RuleId::unequal_blocks, Verdict::costly,
                 {longest_block_what(now), longest_block_why(now), longest_block_fix(now)});
}

Explanation beside_longest_block(Explanation said, const Payoffs* payoffs) {
  const bool praises = said.verdict == Verdict::good && !said.fix.empty();
  if (!praises || payoffs == nullptr || payoffs->now.waits_for_longest < kLeastGain) return said;
  set_fix(said, longest_block_fix(payoffs->now)), said.verdict = Verdict::neutral;
  drop_unsaid(said);
  return said;
}

}  // namespace warplens::explain
