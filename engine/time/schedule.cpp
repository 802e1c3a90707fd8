#include "engine/time/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::time {
namespace {

// Of each warp, about; and the cycles that are shown at least and at most.
constexpr double kInstructions = 24, kLeastCycles = 512, kMostCycles = 8192;

double end_of(const std::vector<WarpHistory>& warps) {
  double end = 0;
  for (const WarpHistory& warp : warps)
    if (!warp.stretches.empty()) end = std::max(end, warp.stretches.back().to);
  return end;
}

// A power of two, so that axes have round numbers.
double cycles_shown(const std::vector<WarpHistory>& warps, double end) {
  double issued = 0;
  for (const WarpHistory& warp : warps)
    issued += static_cast<double>(std::ranges::count(warp.stretches, Stall::selected, &Stretch::what));
  const double each = issued / static_cast<double>(std::max<std::size_t>(warps.size(), 1));
  const double wanted = each > 0 ? end * kInstructions / each : kLeastCycles;
  return std::clamp(std::exp2(std::round(std::log2(std::max(wanted, 1.0)))), kLeastCycles, kMostCycles);
}

// Warp cycles in which there is a warp at all.
double covered(const std::vector<WarpHistory>& warps, double from, double to) {
  double sum = 0;
  for (const WarpHistory& warp : warps)
    for (const Stretch& stretch : warp.stretches)
      sum += std::max(0.0, std::min(stretch.to, to) - std::max(stretch.from, from));
  return sum;
}

// Where most places have a warp, as near the middle as that is: not all blocks end together.
double begin_of(const std::vector<WarpHistory>& warps, double end, double shown) {
  constexpr double kRound = 64, kAlike = 0.98;
  double best = 0, most = -1;
  for (const double away : {0.0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3, -0.4}) {
    const double from = std::max(0.0, kRound * std::floor(((0.5 + away) * end - shown / 2) / kRound));
    const double now = covered(warps, from, from + shown);
    if (most < 0 || kAlike * now > most) most = now, best = from;
  }
  return best;
}

}  // namespace

Result<Schedule> schedule_of(const run::Run& run) {
  if (const auto why = why_not(run)) return *why;
  const auto& counters = run.emulation.outcome.counters;
  auto watched = watch(*run.job, *run.kernel, counters);
  if (!watched) return watched.error();
  SmHistory history;
  const auto prediction =
      predict(*run.job, *run.kernel, {counters, *std::move(watched)}, {.history = &history});
  if (!prediction) return prediction.error();
  Schedule schedule{
      *prediction, std::move(history.warps), 0, 0, 0, std::move(history.code), history.warps_per_block};
  schedule.end = end_of(schedule.warps);
  const double shown = cycles_shown(schedule.warps, schedule.end);
  schedule.from = begin_of(schedule.warps, schedule.end, shown);
  schedule.to = schedule.from + shown;
  return schedule;
}

}  // namespace warplens::time
