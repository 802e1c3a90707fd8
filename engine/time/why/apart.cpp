#include "engine/time/apart.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace warplens::time {
namespace {

constexpr double kHalf = 0.5;          // of a change: less is no cause
constexpr double kLeastChange = 0.02;  // of the logarithm of the time: less is none
constexpr double kLeastSecond = 0.1;   // of the change: what the second of two causes carries at least
constexpr double kNearlyAs = 2.0 / 3;  // of the largest cause: a second one of so much is named beside it
constexpr double kMatters = 0.005;     // of the logarithm of the time: less changes nothing

// Logarithms of times with some of the demands exchanged, each found once.
class Exchanged {
 public:
  Exchanged(const Modelled& of, const Totals& other, double work, const std::vector<Asked>& demands,
            const std::atomic<bool>& cancel)
      : of_(in_short(of)), other_(other), work_(work), demands_(demands), cancel_(cancel) {}
  std::size_t demands() const { return demands_.size(); }
  double log_seconds(std::uint32_t subset) {
    if (subset == 0 || cancel_) return std::log(of_.prediction.seconds);
    const auto known = known_.find(subset);
    if (known != known_.end()) return known->second;
    std::vector<Asked> asked;
    for (std::size_t i = 0; i < demands_.size(); ++i)
      if (subset >> i & 1) asked.push_back(demands_[i]);
    return known_[subset] = std::log(seconds_with(of_, asked, other_, work_));
  }
  // Whether it makes a difference alone, or beside all others.
  bool matters(std::size_t demand) {
    const std::uint32_t alone = 1u << demand, all = (1u << demands_.size()) - 1;
    const auto far = [&](std::uint32_t one, std::uint32_t other) {
      return std::abs(log_seconds(one) - log_seconds(other)) > kMatters;
    };
    return far(0, alone) || far(all, all & ~alone);
  }

 private:
  Modelled of_;
  const Totals& other_;
  double work_;
  const std::vector<Asked>& demands_;
  const std::atomic<bool>& cancel_;
  std::map<std::uint32_t, double> known_;
};

// By how much each demand's exchange lowers the logarithm, on average over the orders that begin with each of
// those that matter and go round, one way and the other.
std::vector<double> gains(Exchanged& exchanged, const std::vector<std::size_t>& matter) {
  std::vector<double> gains(exchanged.demands());
  const std::size_t count = matter.size();
  const double orders = 2.0 * static_cast<double>(count);
  for (std::size_t start = 0; start < count; ++start)
    for (const bool forward : {true, false}) {
      std::uint32_t subset = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = matter[(start + (forward ? i : count - i)) % count];
        const double before = exchanged.log_seconds(subset);
        subset |= 1u << at;
        gains[at] += (before - exchanged.log_seconds(subset)) / orders;
      }
    }
  return gains;
}

std::array<double, kStalls> waits_of(const Modelled& first, const Modelled& second, double work) {
  const double now = first.prediction.cycles, then = second.prediction.cycles / work;
  std::array<double, kStalls> waits{};
  if (std::abs(then - now) < kLeastChange * now) return waits;
  for (std::size_t s = 0; s < kStalls; ++s)
    waits[s] = (second.prediction.stalls[s] * then - first.prediction.stalls[s] * now) / (then - now);
  return waits;
}

// What warps wait for; those ready to run wait for nothing.
constexpr std::array kWaits = {Stall::wait, Stall::long_scoreboard, Stall::short_scoreboard, Stall::barrier,
                               Stall::pipe, Stall::memory_throttle, Stall::dispatch};

// What the demands do not explain, and those that go the other way: as shares of the change.
struct Doubt {
  double rest = 0, opposite = 0;
};
Doubt doubt_of(const Apart& apart) {
  Doubt doubt{std::abs(apart.rest / apart.change), 0};
  for (const Part& part : apart.parts) doubt.opposite += std::max(0.0, -part.change / apart.change);
  return doubt;
}

// Nobody can be sure of causes where as much as they carry is not explained or goes the other way, or where
// the rest alone is as large as the change.
bool are_sure(const std::vector<Cause>& causes, const Doubt& doubt) {
  double named = 0;
  for (const Cause& cause : causes) named += cause.share;
  return named > doubt.rest + doubt.opposite && doubt.rest < 1;
}

std::vector<Cause> cause_of_rest(const Apart& apart) {
  const auto of = [&](Stall stall) { return apart.waits[static_cast<std::size_t>(stall)]; };
  const Stall most = *std::ranges::max_element(kWaits, {}, of);
  if (apart.rest / apart.change < kHalf || of(most) < kHalf) return {};
  return {{std::nullopt, most, std::min(of(most), 1.0)}};
}

}  // namespace

Apart take_apart(const Modelled& first, const Modelled& second, double work,
                 const std::atomic<bool>& cancel) {
  Apart apart;
  apart.first = totals_of(first), apart.second = totals_of(second), apart.work = work;
  apart.change = std::log(second.prediction.seconds / work / first.prediction.seconds);
  const std::vector<Asked> demands = differences(apart.first, apart.second, work);
  Exchanged of_first(first, apart.second, work, demands, cancel),
      of_second(second, apart.first, 1 / work, demands, cancel);
  std::vector<std::size_t> matter;
  for (std::size_t i = 0; i < demands.size(); ++i)
    if (of_first.matters(i) || of_second.matters(i)) matter.push_back(i);
  const std::vector<double> lost = gains(of_first, matter), won = gains(of_second, matter);
  apart.rest = apart.change;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    apart.parts.push_back({demands[i], (won[i] - lost[i]) / 2});
    apart.rest -= apart.parts.back().change;
  }
  std::ranges::sort(apart.parts, std::greater(), [](const Part& part) { return std::abs(part.change); });
  apart.waits = waits_of(first, second, work);
  return apart;
}

std::vector<Cause> causes_of(const Apart& apart) {
  if (std::abs(apart.change) < kLeastChange) return {};
  std::vector<Cause> largest;
  for (const Part& part : apart.parts)
    largest.push_back({part.asked, Stall::none, part.change / apart.change});
  std::ranges::sort(largest, std::greater(), &Cause::share);
  const bool has_second = largest.size() > 1 && largest[1].share >= kLeastSecond;
  const bool is_one = !largest.empty() && largest[0].share >= kHalf;
  const bool are_two = has_second && (is_one ? largest[1].share >= kNearlyAs * largest[0].share
                                             : largest[0].share + largest[1].share >= kHalf);
  if (!is_one && !are_two) return cause_of_rest(apart);
  largest.resize(are_two ? 2 : 1);
  return are_sure(largest, doubt_of(apart)) ? largest : std::vector<Cause>();
}

std::optional<Cause> against_it(const Apart& apart) {
  if (apart.parts.empty() || std::abs(apart.change) < kLeastChange) return std::nullopt;
  const auto share = [&](const Part& part) { return part.change / apart.change; };
  const Part& most = *std::ranges::min_element(apart.parts, {}, share);
  return share(most) <= -kHalf ? std::optional(Cause{most.asked, Stall::none, share(most)}) : std::nullopt;
}

}  // namespace warplens::time
