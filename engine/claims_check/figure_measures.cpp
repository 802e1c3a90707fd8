// Of the pictures of a whole launch: its blocks over time, other numbers of warps, and the shared memory of a
// block.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

double number(std::uint64_t value) { return static_cast<double>(value); }

// ---- blocks over the time of a launch, counted from where each of them runs and when

struct Waves {
  double sms = 0, held = 0, grid = 0, full = 0,
         last = 0;  // full: waves; last: blocks of one that is not full
};
std::optional<Waves> waves_of(const Subject& s) {
  if (s.beside == nullptr || !s.beside->timeline) return std::nullopt;
  const time::GridTimeline& t = *s.beside->timeline;
  Waves waves{number(static_cast<std::uint64_t>(t.sms)), number(static_cast<std::uint64_t>(t.held))};
  waves.grid = number(catalog::blocks_in_grid(s.run.plan().launch));
  waves.full = std::floor(waves.grid / (waves.sms * waves.held));
  waves.last = waves.grid - waves.full * waves.sms * waves.held;
  return waves;
}
template <class Value>
Measured of_waves(const Subject& s, Value value) {
  const auto waves = waves_of(s);
  return waves ? Measured(one(value(*waves, *s.beside->timeline))) : std::nullopt;
}
Measured blocks_of_sm(const Subject& s) {
  return of_waves(s, [](const Waves& w, const auto&) { return w.held; });
}
Measured wave_blocks(const Subject& s) {
  return of_waves(s, [](const Waves& w, const auto&) { return w.sms * w.held; });
}
Measured full_waves(const Subject& s) {
  return of_waves(s, [](const Waves& w, const auto&) { return w.full; });
}
Measured last_blocks(const Subject& s) {
  return of_waves(s, [](const Waves& w, const auto&) { return w.last; });
}
// Blocks of the last wave go to an SM each before any SM gets a second one.
Measured last_sms(const Subject& s) {
  return of_waves(s, [](const Waves& w, const auto&) { return std::min(w.last, w.sms); });
}
// Spans of one SM may lie over each other: what is in none of them.
double idle_of(const time::GridTimeline& t) {
  std::map<std::uint32_t, std::vector<std::pair<double, double>>> of_sm;
  double end = 0, idle = 0;
  for (const time::BlockSpan& span : t.blocks)
    of_sm[span.sm].emplace_back(span.start, span.end), end = std::max(end, span.end);
  for (auto& [sm, spans] : of_sm) {
    std::ranges::sort(spans);
    double at = 0;
    for (const auto& [from, to] : spans) idle += std::max(0.0, from - at), at = std::max(at, to);
    idle += end - at;
  }
  idle += end * (t.sms - static_cast<double>(of_sm.size()));
  return end > 0 ? idle / (end * t.sms) : 0;
}
Measured time_without_block(const Subject& s) {
  return of_waves(s, [](const Waves&, const auto& t) { return idle_of(t); });
}
Measured wave_that_matters(const Subject& s) {
  return of_waves(s, [](const Waves& w, const auto& t) {
    const double idle = idle_of(t);
    return w.last > 0 && idle > 0.05 ? idle : 0;
  });
}
// Of the one wave that there is, when the first SM has nothing to do any more.
Measured first_idle(const Subject& s) {
  return of_waves(s, [](const Waves&, const time::GridTimeline& t) {
    std::map<std::uint32_t, double> last;
    for (const time::BlockSpan& span : t.blocks) last[span.sm] = std::max(last[span.sm], span.end);
    double first = 1e30, end = 0;
    for (const auto& [sm, seconds] : last) first = std::min(first, seconds), end = std::max(end, seconds);
    return first / end;
  });
}

// ---- other numbers of warps

const time::OverWarps* over_warps(const Subject& s) {
  return s.beside != nullptr && s.beside->over_warps ? &*s.beside->over_warps : nullptr;
}
// The fewest that are nearly as fast as the quickest.
const time::AtWarps* quickest(const Subject& s) {
  const time::OverWarps* over = over_warps(s);
  if (over == nullptr || over->points.empty()) return nullptr;
  double least = over->points.front().seconds;
  for (const time::AtWarps& at : over->points) least = std::min(least, at.seconds);
  for (const time::AtWarps& at : over->points)
    if (at.seconds <= 1.04 * least) return &at;
  return nullptr;
}
Measured warps_at_best(const Subject& s) {
  const time::AtWarps* best = quickest(s);
  return best != nullptr ? Measured(one(best->warps)) : std::nullopt;
}
Measured faster_at_best(const Subject& s) {
  const time::AtWarps* best = quickest(s);
  if (best == nullptr) return std::nullopt;
  const double faster = std::max(0.0, over_warps(s)->points[over_warps(s)->now].seconds / best->seconds - 1);
  const bool says_none = s.claim.shown.find_first_of("0123456789") == std::string::npos;
  return says_none && faster > 0.04 ? std::nullopt : Measured(one(faster));
}
Measured times_at_best(const Subject& s) {
  const time::AtWarps* best = quickest(s);
  return best != nullptr ? Measured(one(over_warps(s)->points[over_warps(s)->now].seconds / best->seconds))
                         : std::nullopt;
}
Measured numbers_of_warps(const Subject& s) {
  const time::OverWarps* over = over_warps(s);
  return over != nullptr ? Measured(one(number(over->points.size()))) : std::nullopt;
}
// In the unit that is said.
std::optional<double> work(const Subject& s) {
  const std::string& words = s.claim.shown;
  const problem::Instance& instance = *s.run.job->instance;
  if (words.find("launches/s") != std::string::npos) return 1.0;
  if (words.find("B/s") != std::string::npos) return instance.least_bytes();
  return words.find("/s") != std::string::npos ? std::optional(instance.operations()) : std::nullopt;
}
Measured speed(const Subject& s) {
  const auto amount = work(s);
  const time::OverWarps* over = over_warps(s);
  return amount && over != nullptr ? Measured(one(*amount / over->points[over->now].seconds)) : std::nullopt;
}
Measured speed_alone(const Subject& s) {
  const auto amount = work(s);
  const time::OverWarps* over = over_warps(s);
  return amount && over != nullptr ? Measured(one(*amount / over->points.front().seconds)) : std::nullopt;
}

Measured warps_alone(const Subject& s) {
  const time::OverWarps* over = over_warps(s);
  return over != nullptr ? Measured(one(over->points.front().warps)) : std::nullopt;
}
Measured share_alone(const Subject& s) {
  const time::OverWarps* over = over_warps(s);
  if (over == nullptr) return std::nullopt;
  return one(over->points[over->now].seconds / over->points.front().seconds);
}

// ---- shared memory of a block

struct Banks {
  double wavefronts = 0, least = 0, lost = 0;
};
// line: 0: all.
Banks count_banks(const Subject& s, int line) {
  Banks banks;
  s.run.trace->for_each(s.place.block, [&](const trace::Access& access) {
    if (!is_shared(access) || access.active == 0) return;
    // A copy from global memory passes no register; what it costs here is no rule that is known.
    if (s.run.instructions[access.pc].text.find("cp.async") != std::string::npos) return;
    if (line > 0 && s.run.kernel_lines[access.pc] != line) return;
    const Cost cost = cost_of(access, s.run);
    banks.wavefronts += cost.units, banks.least += cost.least, banks.lost += cost.units - cost.least;
  });
  return banks;
}
Banks banks_of(const Subject& s, int line) {
  return once(s, "banks of " + std::to_string(s.place.block) + " " + std::to_string(line),
              [&] { return count_banks(s, line); });
}
Measured wavefronts_of_block(const Subject& s) { return one(banks_of(s, 0).wavefronts); }
Measured least_wavefronts_of_block(const Subject& s) { return one(banks_of(s, 0).least); }
Measured lost_of_block(const Subject& s) { return one(banks_of(s, 0).lost); }
Measured lost_of_line(const Subject& s) { return one(banks_of(s, std::stoi(s.claim.of)).lost); }

}  // namespace

std::vector<Row> figure_measures() {
  return {{Quantity::blocks_of_sm, blocks_of_sm},
          {Quantity::wave_blocks, wave_blocks},
          {Quantity::full_waves, full_waves},
          {Quantity::last_blocks, last_blocks},
          {Quantity::last_sms, last_sms},
          {Quantity::time_without_block, time_without_block},
          {Quantity::wave_that_matters, wave_that_matters},
          {Quantity::first_idle, first_idle},
          {Quantity::warps_as_fast, warps_at_best},
          {Quantity::warps_at_best, warps_at_best},
          {Quantity::faster_at_best, faster_at_best},
          {Quantity::times_at_best, times_at_best},
          {Quantity::numbers_of_warps, numbers_of_warps},
          {Quantity::speed, speed},
          {Quantity::speed_alone, speed_alone},
          {Quantity::warps_alone, warps_alone},
          {Quantity::share_alone, share_alone},
          {Quantity::wavefronts_of_block, wavefronts_of_block},
          {Quantity::least_wavefronts_of_block, least_wavefronts_of_block},
          {Quantity::lost_of_block, lost_of_block},
          {Quantity::lost_of_line, lost_of_line}};
}

}  // namespace warplens::claims_check
