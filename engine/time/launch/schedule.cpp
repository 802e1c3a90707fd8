#include "engine/time/launch/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace warplens::time {
namespace {

// Of each warp, about; and the cycles that are shown at least and at most.
constexpr double kInstructions = 24, kLeastCycles = 512, kMostCycles = 8192;
// A moment that is further from the whole is not shown alone, 0 to 2.
constexpr double kStrange = 0.3;

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
    for (const Stretch& stretch : stretches_in(warp, from, to))
      sum += std::min(stretch.to, to) - std::max(stretch.from, from);
  return sum;
}

// The lines that the warps of a launch spend their time at. What is scheduled may have fewer turns of its
// loops, so that its middle need not be where that is.
class Usual {
 public:
  Usual(const Prediction& whole, const std::vector<Instruction>& code) : code_(code) {
    for (const StallsAt& at : whole.stalls_at)
      for (const float share : at.shares) whole_[at.line] += static_cast<double>(share);
  }
  // How far these cycles are from it, 0 to 2.
  double apart(const std::vector<WarpHistory>& warps, double from, double to) const {
    std::map<int, double> cycles;
    double sum = 0;
    for (const WarpHistory& warp : warps)
      for (const Stretch& stretch : stretches_in(warp, from, to)) {
        if (stretch.instruction >= code_.size()) continue;
        const double part = std::min(stretch.to, to) - std::max(stretch.from, from);
        cycles[code_[stretch.instruction].line] += part;
        sum += part;
      }
    double apart = 0;
    for (const auto& [line, share] : whole_) {
      const auto found = cycles.find(line);
      apart += std::abs((found == cycles.end() ? 0 : found->second / sum) - share);
    }
    for (const auto& [line, part] : cycles)
      if (!whole_.contains(line)) apart += part / sum;
    return apart;
  }

 private:
  const std::vector<Instruction>& code_;
  std::map<int, double> whole_;
};

// Of where nearly all places have a warp, what is most like the whole launch: not all blocks end together,
// and a kernel begins and ends otherwise than it works.
struct Begin {
  double from = 0, apart = 0;
};
Begin begin_of(const std::vector<WarpHistory>& warps, double end, double shown, const Usual& usual) {
  constexpr double kRound = 64, kNearlyAll = 0.98, kTowardsMiddle = 0.2;
  constexpr int kPlaces = 24;
  std::vector<std::pair<double, double>> places;  // where, and warp cycles
  double most = 0;
  for (int i = 0; i < kPlaces; ++i) {
    const double middle = (i + 0.5) / kPlaces * end;
    const double from =
        std::clamp(kRound * std::floor((middle - shown / 2) / kRound), 0.0, std::max(end - shown, 0.0));
    places.emplace_back(from, covered(warps, from, from + shown));
    most = std::max(most, places.back().second);
  }
  Begin best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [from, now] : places) {
    if (now < kNearlyAll * most) continue;
    const double apart = usual.apart(warps, from, from + shown);
    // Of what is alike the middle.
    const double away = kTowardsMiddle * std::abs((from + shown / 2) / std::max(end, 1.0) - 0.5);
    if (apart + away < least) least = apart + away, best = {from, apart};
  }
  return best;
}

}  // namespace

std::span<const Stretch> stretches_in(const WarpHistory& warp, double from, double to) {
  const auto first = std::ranges::upper_bound(warp.stretches, from, {}, &Stretch::to);
  const auto last = std::lower_bound(first, warp.stretches.end(), to,
                                     [](const Stretch& stretch, double end) { return stretch.from < end; });
  return {first, last};
}

Result<Schedule> schedule_of(const run::Run& run, const std::atomic<bool>& cancel) {
  const auto counted = counted_of(run, cancel);
  if (!counted) return counted.error();
  SmHistory history;
  const auto prediction = predict(*run.job, *run.kernel, *counted, {.history = &history, .cancel = cancel});
  if (!prediction) return prediction.error();
  Schedule schedule{
      *prediction, std::move(history.warps), 0, 0, 0, std::move(history.code), history.warps_per_block};
  schedule.end = end_of(schedule.warps);
  const Usual usual(*prediction, schedule.code);
  double shown = cycles_shown(schedule.warps, schedule.end);
  Begin begin = begin_of(schedule.warps, schedule.end, shown, usual);
  // Where no moment is like the whole, because all warps load, and then compute: more of them.
  while (begin.apart > kStrange && shown < kMostCycles && 2 * shown <= schedule.end)
    shown *= 2, begin = begin_of(schedule.warps, schedule.end, shown, usual);
  schedule.from = begin.from;
  schedule.scheduled = history.scheduled;
  schedule.to = schedule.from + shown;
  return schedule;
}

}  // namespace warplens::time
