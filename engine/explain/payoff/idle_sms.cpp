#include "engine/explain/payoff/idle_sms.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/made_of.hpp"

namespace warplens::explain {

bool has_idle_sms(const Payoffs* payoffs) {
  return payoffs != nullptr && payoffs->now.blocks > 0 && payoffs->now.blocks < payoffs->sms;
}

bool has_mostly_idle_sms(const Payoffs& payoffs) {
  return has_idle_sms(&payoffs) && 2 * payoffs.now.blocks < payoffs.sms;
}

Said too_small_for_more(const time::Prediction& now) {
  const double longer = now.all_sms_longer;
  // So many blocks do more work: where they take hardly longer, it is the work that lacks.
  constexpr double kHardly = 0.25;
  return say(longer < kHardly ? "the problem is too small: {} like these take {} by the model"
                              : "more blocks like these would not help ({} take {} by the model)",
             {claim::amount(Quantity::blocks_for_all_sms, now.blocks_for_all_sms, Scope::device),
              claim::words(longer < kLeastSaid ? "as long" : fmt::format("{:.0f} % longer", 100 * longer),
                           Quantity::all_sms_longer, longer, Scope::kernel)});
}

Said work_for_idle_sms(const Payoffs& payoffs) {
  const time::Prediction& now = payoffs.now;
  if (pays(payoffs.with_more_blocks)) {
    Said said = say("launch {} instead of {}",
                    {claim::amount(Quantity::blocks_at_a_time, payoffs.blocks_at_a_time, Scope::device),
                     claim::number(Quantity::blocks, now.blocks, Scope::kernel)});
    Claim gained{.kind = ClaimKind::fix, .quantity = Quantity::gain, .number = *payoffs.with_more_blocks};
    gained.scope = Scope::kernel, gained.shown = said.text, gained.of = kOfMoreBlocks;
    said.claims.push_back(std::move(gained));
    return said;
  }
  if (now.in_smaller_blocks >= kLeastGain)
    return say("more and smaller blocks of the same threads: {} less time by the model",
               {percent(Quantity::saved_in_smaller_blocks, now.in_smaller_blocks, Scope::kernel)});
  return too_small_for_more(now);
}

Said idle_sms_words(const Payoffs& payoffs, Said work) {
  const double idle = payoffs.sms - payoffs.now.blocks;
  Said words =
      say("{} of {} have {} to do", {claim::number(Quantity::idle_sms, idle, Scope::device),
                                     claim::amount(Quantity::sms, payoffs.sms, Scope::device),
                                     claim::every("nothing", Quantity::idle_sms, idle, Scope::device)});
  words.text = fmt::format("{}: {}", words.text, work.text);
  add(words.claims, std::move(work.claims));
  return words;
}

Explanation beside_idle_sms(Explanation said, const Payoffs* payoffs) {
  const bool praises = said.verdict == Verdict::good && !said.fix.empty();
  if (!praises || !has_idle_sms(payoffs)) return said;
  Said words = idle_sms_words(*payoffs, work_for_idle_sms(*payoffs));
  set_fix(said, std::move(words)), said.verdict = Verdict::neutral;
  drop_unsaid(said);
  return said;
}

Explanation with_work_for_idle_sms(Explanation said, const Payoffs* payoffs) {
  Said work = has_idle_sms(payoffs) ? work_for_idle_sms(*payoffs) : Said{};
  set_fix(said, std::move(work));
  drop_unsaid(said);
  return said;
}

}  // namespace warplens::explain
