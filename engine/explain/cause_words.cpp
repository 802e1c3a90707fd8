#include "engine/explain/cause_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/explain/claims/quantity.hpp"
#include "engine/time/why/reason.hpp"

namespace warplens::explain {
namespace {

using time::Asked, time::Demand, time::Totals;

constexpr double kClear = 1.1;  // times: less is no difference to name

// How much both have of something, for the same work.
struct Amounts {
  std::string_view of;
  double now = 0, then = 0;
  bool is_work = false;  // of which there is less, not fewer
};

class Namer {
 public:
  Namer(const time::Apart& apart, const run::StepCount& step, const run::StepCount& other)
      : apart_(apart), step_(step), other_(other), counted_(run::times_the_work(step, other)) {}

  // What there may be less or more of where this is a cause, what was counted before what the model has.
  std::vector<Amounts> amounts_of(Asked asked) const {
    switch (asked) {
      case Asked::traffic:
        return {counted("sectors of global memory", &run::StepCount::bytes),
                counted("accesses to global memory", &run::StepCount::requests),
                total("work for L1", &Demand::l1_turns, true),
                total("sectors that pass L2", &Demand::l2_sectors),
                total("sectors from and to memory", &Demand::dram_sectors)};
      case Asked::wavefronts:
        return {counted("wavefronts of shared memory", &run::StepCount::wavefronts)};
      case Asked::instructions:
        return {total("instructions", &Demand::instructions),
                pipe("work for the integer units", time::Unit::alu),
                pipe("work for the multiply-add units", time::Unit::fma)};
      case Asked::doubles:
        return {pipe("work for the units for doubles", time::Unit::fp64)};
      case Asked::functions:
        return {pipe(converts_doubles() ? "work for the units that convert doubles"
                                        : "work for the special function units",
                     time::Unit::special)};
      case Asked::barriers:
        return {counted("barriers", &run::StepCount::barriers)};
      case Asked::spills:
        return {total("accesses for values that found no register", &Demand::spills)};
      case Asked::atomics:
        return {whole("atomics at one address", &Totals::meetings)};
      case Asked::starts:
        return {whole("blocks to start", &Totals::blocks)};
      default:
        return {};
    }
  }

 private:
  // Whether that is what the units for functions do most, in the step that asks more of them.
  bool converts_doubles() const {
    const auto at = static_cast<std::size_t>(time::Unit::special);
    const bool is_first = apart_.first.demand.pipes[at] * apart_.work > apart_.second.demand.pipes[at];
    return (is_first ? apart_.first : apart_.second).of_doubles >= 0.5;
  }
  Amounts counted(std::string_view of, double run::StepCount::*amount) const {
    return {of, step_.*amount / counted_, other_.*amount};
  }
  Amounts total(std::string_view of, double Demand::*amount, bool is_work = false) const {
    return {of, apart_.first.demand.*amount * apart_.work, apart_.second.demand.*amount, is_work};
  }
  Amounts pipe(std::string_view of, time::Unit unit) const {
    const auto at = static_cast<std::size_t>(unit);
    return {of, apart_.first.demand.pipes[at] * apart_.work, apart_.second.demand.pipes[at], true};
  }
  Amounts whole(std::string_view of, double Totals::*amount) const {
    return {of, apart_.first.*amount * apart_.work, apart_.second.*amount};
  }

  const time::Apart& apart_;
  const run::StepCount &step_, &other_;
  double counted_;
};

// Of both steps.
Claim of_both(std::string words, Quantity quantity, double number, std::string_view of = {}) {
  return claim::of(claim::words(std::move(words), quantity, number, Scope::two_steps), std::string(of));
}

CauseWords of_amounts(const Amounts& amounts, const std::string& called) {
  CauseWords said;
  said.quantity = std::string(amounts.of);
  if (amounts.now <= 0) {
    said.words =
        keep(said.claims, of_both(fmt::format("no {}", amounts.of), Quantity::amount, 0, amounts.of));
    return said;
  }
  if (amounts.then <= 0) {
    said.words = fmt::format("{}, of which {} has {}", amounts.of, called,
                             keep(said.claims, of_both("none", Quantity::amount_of_other, 0, amounts.of)));
    return said;
  }
  said.times = amounts.then / amounts.now;
  const bool is_less = said.times > 1;
  const double times = is_less ? said.times : 1 / said.times;
  said.words = fmt::format(
      "{} times {} {}",
      keep(said.claims, of_both(ratio_words(times), is_less ? Quantity::times_less : Quantity::times_more,
                                times, amounts.of)),
      !is_less          ? "more"
      : amounts.is_work ? "less"
                        : "fewer",
      amounts.of);
  return said;
}

// Whether there is so much less, or more, that it can be what the step gains, or loses.
bool fits(const Amounts& amounts, bool is_gain) {
  const double less = is_gain ? amounts.now : amounts.then, more = is_gain ? amounts.then : amounts.now;
  return more > 0 && more > kClear * less;
}

// Whether that is so much as what the cause does to the time: less of it would leave some of that open.
bool carries(const Amounts& amounts, double change) {
  constexpr double kMost = 0.8;
  return amounts.now > 0 && amounts.then > 0 &&
         std::abs(std::log(amounts.then / amounts.now)) >= kMost * std::abs(change);
}

int percent(double share) { return static_cast<int>(std::lround(100 * share)); }

CauseWords of_state(Asked asked, const time::Apart& apart, const std::string& called) {
  const Totals &now = apart.first, &then = apart.second;
  CauseWords said;
  const auto warps = [&](Quantity quantity, double number) {
    return keep(said.claims, of_both(fmt::format("{:.0f}", number), quantity, number));
  };
  const auto share = [&](Quantity quantity, double number) {
    return keep(said.claims, of_both(fmt::format("{} %", percent(number)), quantity, number));
  };
  if (asked == Asked::occupancy)
    said.words =
        fmt::format("{} warps on an SM at a time, {} in {}", warps(Quantity::warps_of_sm, now.resident_warps),
                    warps(Quantity::warps_of_other, then.resident_warps), called);
  if (asked == Asked::idle_sms)
    said.words = fmt::format("SMs have blocks for {} of the kernel's time, for {} in {}",
                             share(Quantity::used_sms, now.used_sms),
                             share(Quantity::used_sms_of_other, then.used_sms), called);
  if (asked == Asked::partitions) {
    const double ratio = then.crowding / now.crowding, times = ratio > 1 ? ratio : 1 / ratio;
    said.words = fmt::format(
        "accesses crowd {} times {} in one partition of memory",
        keep(said.claims, of_both(ratio_words(times), ratio > 1 ? Quantity::times_less : Quantity::times_more,
                                  times, "crowding")),
        ratio > 1 ? "less" : "more");
  }
  return said;
}

}  // namespace

std::string ratio_words(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 2 ? 2 : ratio < 10 ? 1 : 0);
}

CauseWords cause_words(const time::Cause& cause, const time::Apart& apart, const run::StepCount& step,
                       const run::StepCount& other, const std::string& called) {
  const bool is_gain = apart.change * cause.share > 0;  // of this cause: it makes the step quicker
  if (!cause.asked)
    return {
        fmt::format("its warps wait {} for {}", is_gain ? "less" : "longer", time::waited_for(cause.wait))};
  std::vector<Amounts> found;
  for (const Amounts& amounts : Namer(apart, step, other).amounts_of(*cause.asked))
    if (fits(amounts, is_gain)) found.push_back(amounts);
  if (found.empty()) return of_state(*cause.asked, apart, called);
  const auto large = std::ranges::find_if(
      found, [&](const Amounts& amounts) { return carries(amounts, apart.change * cause.share); });
  CauseWords said = of_amounts(found.front(), called);
  if (large == found.end() || large == found.begin()) return said;
  CauseWords more = of_amounts(*large, called);
  more.words = said.words + " and " + more.words;
  add(more.claims, std::move(said.claims));
  return more;
}

}  // namespace warplens::explain
