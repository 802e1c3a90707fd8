// Of two steps that do the same work: how fast they are, how much of something both have, and by the model what
// makes the difference.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/time/apart.hpp"

namespace warplens::claims_check {
namespace {

using explain::Claim, explain::ClaimKind, explain::Quantity;
using Step = Beside::Step;

// Of a whole launch, whatever share of it was counted.
double whole(double counted, const run::StepCount& count) { return counted / count.share; }

// How much of the same work a launch of the first does, over one of the second.
double work_over(const Step& first, const Step& second) {
  const double operations = whole(first.count.operations, first.count),
               its = whole(second.count.operations, second.count);
  const bool is_same = first.count.problem == second.count.problem &&
                       first.count.sizes == second.count.sizes && std::abs(operations - its) <= 1e-9 * its;
  return is_same ? 1 : whole(first.count.work, first.count) / whole(second.count.work, second.count);
}

struct Pair {
  const Step &own, &other;
  double work = 1;  // of the other, over the own one
};
std::optional<Pair> pair_of(const Subject& s) {
  const Step *own = own_step(s), *other = other_step(s);
  if (own == nullptr || other == nullptr) return std::nullopt;
  return Pair{*own, *other, work_over(*other, *own)};
}

// ---- amounts by what sentences call them, of a launch

std::optional<double> amount_of(const Step& step, const std::string& name) {
  const run::StepCount& count = step.count;
  const std::map<std::string, double> counted = {{"sectors of global memory", count.bytes / 32},
                                                 {"wavefronts of shared memory", count.wavefronts},
                                                 {"accesses to global memory", count.requests},
                                                 {"barriers", count.barriers}};
  if (const auto found = counted.find(name); found != counted.end()) return whole(found->second, count);
  if (step.modelled == nullptr)
    return name == "instructions that are executed" ? std::optional(whole(count.instructions, count))
                                                    : std::nullopt;
  const time::Totals totals = time::totals_of(*step.modelled);
  const auto pipe = [&](time::Unit unit) { return totals.demand.pipes[static_cast<std::size_t>(unit)]; };
  const std::map<std::string, double> modelled = {
      {"instructions", totals.demand.instructions},
      {"instructions that are executed", step.modelled->prediction.warp_instructions},
      {"work for L1", totals.demand.l1_turns},
      {"sectors that pass L2", totals.demand.l2_sectors},
      {"sectors from and to memory", totals.demand.dram_sectors},
      {"work for the integer units", pipe(time::Unit::alu)},
      {"work for the multiply-add units", pipe(time::Unit::fma)},
      {"work for the units for doubles", pipe(time::Unit::fp64)},
      {"work for the special function units", pipe(time::Unit::special)},
      {"work for the units that convert doubles", pipe(time::Unit::special)},
      {"accesses for values that found no register", totals.demand.spills},
      {"atomics at one address", totals.meetings},
      {"blocks to start", totals.blocks},
      {"crowding", totals.crowding}};
  const auto found = modelled.find(name);
  return found == modelled.end() ? std::nullopt : std::optional(found->second);
}

// For as much work as the own step does: what is no amount stays as it is.
std::optional<double> of_own(const Subject& s) {
  const auto pair = pair_of(s);
  return pair ? amount_of(pair->own, s.claim.of) : std::nullopt;
}
std::optional<double> of_other(const Subject& s) {
  const auto pair = pair_of(s);
  const auto amount = pair ? amount_of(pair->other, s.claim.of) : std::nullopt;
  if (!amount) return std::nullopt;
  return s.claim.of == "crowding" ? *amount : *amount / pair->work;
}
Measured measured(std::optional<double> value) { return value ? Measured(one(*value)) : std::nullopt; }
Measured amount(const Subject& s) { return measured(of_own(s)); }
Measured amount_of_other(const Subject& s) { return measured(of_other(s)); }
// Blocks of a grid have as much of it each, on average.
Measured of_one_block(const Step* step, const std::string& name) {
  const auto all = step != nullptr ? amount_of(*step, name) : std::nullopt;
  return all ? Measured(one(*all / static_cast<double>(step->count.blocks))) : std::nullopt;
}
Measured a_block(const Subject& s) { return of_one_block(own_step(s), s.claim.of); }
Measured a_block_of_other(const Subject& s) { return of_one_block(other_step(s), s.claim.of); }
Measured ratio(std::optional<double> over, std::optional<double> under) {
  return over && under && *under > 0 ? Measured(one(*over / *under)) : std::nullopt;
}
Measured times_less(const Subject& s) { return ratio(of_other(s), of_own(s)); }
Measured times_more(const Subject& s) { return ratio(of_own(s), of_other(s)); }

// ---- speeds

std::optional<double> predicted_ratio(const Subject& s) {
  const auto pair = pair_of(s);
  if (!pair || !pair->own.modelled || !pair->other.modelled) return std::nullopt;
  return pair->other.modelled->prediction.seconds / pair->work / pair->own.modelled->prediction.seconds;
}
std::optional<double> speed_ratio(const Subject& s) {
  return s.beside != nullptr && s.beside->measured ? s.beside->measured : predicted_ratio(s);
}
Measured times_as_fast(const Subject& s) {
  const auto ratio = speed_ratio(s);
  const bool says_equal = s.claim.shown.find_first_of("0123456789") == std::string::npos;
  if (ratio && says_equal && std::abs(*ratio - 1) > 0.015) return std::nullopt;
  return measured(ratio);
}
Measured share_slower(const Subject& s) {
  const auto ratio = speed_ratio(s);
  return ratio ? Measured(one(1 - *ratio)) : std::nullopt;
}
Measured times_slower(const Subject& s) {
  const auto ratio = speed_ratio(s);
  return ratio ? Measured(one(1 / *ratio)) : std::nullopt;
}
Measured predicted_times(const Subject& s) { return measured(predicted_ratio(s)); }

// ---- by the model

std::optional<time::Apart> apart_of(const Subject& s) {
  const auto pair = pair_of(s);
  if (!pair || !pair->own.modelled || !pair->other.modelled) return std::nullopt;
  return once(s, "apart", [&] {
    return std::optional(time::take_apart(*pair->own.modelled, *pair->other.modelled, pair->work));
  });
}
// Parts that carry half of the change alone, no other nearly as much, and more than what is not explained and
// what goes the other way, or one kind of waiting that does where the rest is that half.
Measured single_reasons(const Subject& s) {
  const auto apart = apart_of(s);
  if (!apart) return std::nullopt;
  if (std::abs(apart->change) < 0.02) return one(0);  // no change has a reason
  const double rest = apart->rest / apart->change;
  std::vector<double> shares;
  double doubt = std::abs(rest);
  for (const time::Part& part : apart->parts) {
    shares.push_back(part.change / apart->change);
    if (shares.back() < 0) doubt -= shares.back();
  }
  std::ranges::sort(shares, std::greater());
  const bool is_unsure = std::abs(rest) >= 1;
  const bool is_equalled = shares.size() > 1 && 3 * shares[1] >= 2 * shares[0];
  if (!shares.empty() && shares[0] >= 0.5)
    return one(!is_equalled && !is_unsure && shares[0] > doubt ? 1 : 0);
  if (shares.size() > 1 && shares[0] + shares[1] >= 0.5 && shares[1] >= 0.1) return one(0);
  double longest = 0;  // who issues, or could, waits for nothing
  for (std::size_t stall = 0; stall < time::kStalls; ++stall)
    if (const auto which = static_cast<time::Stall>(stall);
        which != time::Stall::selected && which != time::Stall::not_selected)
      longest = std::max(longest, apart->waits[stall]);
  return one(rest >= 0.5 && longest >= 0.5 ? 1 : 0);
}
Measured of_totals(const Subject& s, bool own, double time::Totals::*which) {
  const Step* step = own ? own_step(s) : other_step(s);
  if (step == nullptr || !step->modelled) return std::nullopt;
  return one(time::totals_of(*step->modelled).*which);
}
Measured warps_of_other(const Subject& s) { return of_totals(s, false, &time::Totals::resident_warps); }
Measured used_sms(const Subject& s) { return of_totals(s, true, &time::Totals::used_sms); }
Measured used_sms_of_other(const Subject& s) { return of_totals(s, false, &time::Totals::used_sms); }
Measured busy_in_both(const Subject& s) {
  const auto pair = pair_of(s);
  if (!pair || !pair->own.modelled || !pair->other.modelled) return std::nullopt;
  const auto own = busy_share(pair->own.modelled->prediction, s.claim.of),
             its = busy_share(pair->other.modelled->prediction, s.claim.of);
  return own && its ? Measured(one(std::min(*own, *its))) : std::nullopt;
}
Measured meetings_in_both(const Subject& s) {
  const auto pair = pair_of(s);
  if (!pair || !pair->own.modelled || !pair->other.modelled) return std::nullopt;
  return one(std::max(pair->own.modelled->prediction.meetings, pair->other.modelled->prediction.meetings));
}

// "matmul/02_coalesced" is step 2.
Measured step_number(const Subject& s) {
  const std::string& kernel = !s.claim.of.empty() || s.beside == nullptr ? s.claim.of : s.beside->other;
  const std::size_t at = kernel.find('/');
  const double number = at == std::string::npos ? 0 : std::strtod(kernel.c_str() + at + 1, nullptr);
  return number > 0 ? Measured(one(number)) : std::nullopt;
}
std::optional<double> gain_of(const Subject& s) {
  const Step *own = own_step(s), *step = step_named(s, s.claim.of);
  if (own == nullptr || step == nullptr || !own->modelled || !step->modelled) return std::nullopt;
  return 1 - step->modelled->prediction.seconds / work_over(*step, *own) / own->modelled->prediction.seconds;
}
Measured gain_of_step(const Subject& s) { return measured(gain_of(s)); }
// By the recordings of just these launches.
Measured recorded_gain_of_step(const Subject& s) {
  if (s.beside == nullptr) return std::nullopt;
  const auto& recorded = s.beside->recorded;
  const auto own = recorded.find(s.run.plan().spec.id), step = recorded.find(s.claim.of);
  if (own == recorded.end() || step == recorded.end()) return std::nullopt;
  return one(1 - step->second / own->second);
}
Measured no_gain_of_step(const Subject& s) {
  const auto gain = gain_of(s);
  return gain ? Measured(one(*gain < 0.01 ? 0 : *gain)) : std::nullopt;
}

std::optional<double> share_of_cause(const time::Apart& apart, const std::string& of) {
  for (const time::Part& part : apart.parts)
    if (time::name(part.asked) == of) return part.change / apart.change;
  for (std::size_t stall = 0; stall < time::kStalls; ++stall)
    if (time::name(static_cast<time::Stall>(stall)) == of) return apart.waits[stall];
  return std::nullopt;
}

}  // namespace

const Step* step_named(const Subject& s, const std::string& kernel) {
  if (s.beside == nullptr) return nullptr;
  const auto found = s.beside->steps.find(kernel);
  return found == s.beside->steps.end() ? nullptr : &found->second;
}
const Step* own_step(const Subject& s) { return step_named(s, s.run.plan().spec.id); }
const Step* other_step(const Subject& s) {
  return s.beside == nullptr ? nullptr : step_named(s, s.beside->other);
}

std::string wrong_in_cause(const Subject& s, const explain::Claims& all) {
  constexpr double kLeast = 0.5;
  double together = 0;
  for (const Claim& claim : all) together += claim.kind == ClaimKind::cause ? claim.number : 0;
  if (together < kLeast) return "it is no cause: less than half of the change";
  if (s.beside == nullptr) return "";
  const auto apart = apart_of(s);
  const auto share = apart ? share_of_cause(*apart, s.claim.of) : std::nullopt;
  if (!share) return "the model knows no such cause";
  return std::abs(std::min(*share, 1.0) - s.claim.number) < 1e-6 ? "" : std::to_string(*share);
}

std::vector<Row> step_measures() {
  return {{Quantity::step_number, step_number},
          {Quantity::gain_of_step, gain_of_step},
          {Quantity::recorded_gain_of_step, recorded_gain_of_step},
          {Quantity::no_gain_of_step, no_gain_of_step},
          {Quantity::times_as_fast, times_as_fast},
          {Quantity::share_slower, share_slower},
          {Quantity::times_slower, times_slower},
          {Quantity::predicted_times, predicted_times},
          {Quantity::times_less, times_less},
          {Quantity::times_more, times_more},
          {Quantity::amount, amount},
          {Quantity::amount_of_other, amount_of_other},
          {Quantity::a_block, a_block},
          {Quantity::a_block_of_other, a_block_of_other},
          {Quantity::single_reasons, single_reasons},
          {Quantity::warps_of_other, warps_of_other},
          {Quantity::used_sms, used_sms},
          {Quantity::used_sms_of_other, used_sms_of_other},
          {Quantity::busy_in_both, busy_in_both},
          {Quantity::meetings_in_both, meetings_in_both}};
}

}  // namespace warplens::claims_check
