#include "engine/time/launch/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "engine/catalog/launches.hpp"

namespace warplens::time {
namespace {

// More than can be told apart in any picture.
constexpr std::uint64_t kMostSpans = 60'000;

// By how much an SM is slower than the others: as grid.cpp has it.
double pace_of(std::uint32_t sm, const Parameters& p) {
  constexpr double kGolden = 0.6180339887498949;
  return 1 + p.sm_jitter * (2 * std::fmod(sm * kGolden, 1.0) - 1);
}

// Cycles that blocks take by the place that they have on an SM.
struct Durations {
  std::vector<double> places;
  double last = 0;  // of the last wave, where it is not full; 0: as the others
};

Durations durations_of(const SmHistory& history, const GridTimeline& timeline) {
  const auto held = static_cast<std::size_t>(timeline.held);
  Durations durations{history.block_ends, history.last_wave};
  if (!durations.places.empty()) return durations;
  // Many short blocks: all alike.
  const double of_an_sm = static_cast<double>(timeline.grid) / timeline.sms;
  durations.places.assign(held, timeline.prediction.cycles * timeline.held / of_an_sm);
  return durations;
}

void place_blocks(GridTimeline& timeline, const Durations& durations, const Parameters& p) {
  using Place = std::tuple<double, std::uint64_t, std::uint32_t>;  // free from; order; SM
  std::priority_queue<Place, std::vector<Place>, std::greater<>> free;
  const std::uint64_t sms = static_cast<std::uint64_t>(timeline.sms), held = durations.places.size();
  for (std::uint64_t place = 0; place < sms * held; ++place)
    free.emplace(0.0, place, static_cast<std::uint32_t>(place % sms));
  const std::uint64_t full = timeline.full_waves * sms * static_cast<std::uint64_t>(timeline.held);
  for (std::uint64_t block = 0; block < timeline.grid; block += timeline.together) {
    const auto [from, place, sm] = free.top();
    free.pop();
    const bool is_last = block >= full && durations.last > 0;
    const double cycles = is_last ? durations.last : durations.places[static_cast<std::size_t>(place / sms)];
    const auto count = std::min(timeline.together, timeline.grid - block);
    const double to = from + cycles * pace_of(sm, p) * static_cast<double>(count);
    timeline.blocks.push_back({block, sm, from, to});
    free.emplace(to, place, sm);
  }
}

// As the prediction has placed them.
void take_placed(GridTimeline& timeline, const std::vector<PlacedBlocks>& placed) {
  timeline.together = placed.front().blocks;
  for (const PlacedBlocks& each : placed)
    timeline.blocks.push_back({each.first, each.sm, each.start, each.end});
}

// From cycles to the seconds of the prediction.
void scale(GridTimeline& timeline, double clock_hz) {
  double end = 0;
  for (const BlockSpan& span : timeline.blocks) end = std::max(end, span.end);
  const double factor = end > 0 ? timeline.prediction.cycles / clock_hz / end : 0;
  for (BlockSpan& span : timeline.blocks) span.start *= factor, span.end *= factor;
}

void describe_end(GridTimeline& timeline) {
  std::vector<double> ends(static_cast<std::size_t>(timeline.sms), 0);
  for (const BlockSpan& span : timeline.blocks) ends[span.sm] = std::max(ends[span.sm], span.end);
  const auto [first, last] = std::ranges::minmax(ends);
  timeline.first_idle = last > 0 ? first / last : 1;
}

void describe_last_wave(GridTimeline& timeline) {
  const std::uint64_t wave =
      static_cast<std::uint64_t>(timeline.sms) * static_cast<std::uint64_t>(timeline.held);
  std::set<std::uint32_t> sms;
  for (const BlockSpan& span : timeline.blocks)
    if (timeline.last_blocks > 0 && span.block + timeline.together > timeline.full_waves * wave)
      sms.insert(span.sm);
  timeline.last_sms = static_cast<int>(sms.size());
}

// Spans are by start: where one begins behind all ends before it, its SM had no block meanwhile.
void describe_idle(GridTimeline& timeline) {
  std::vector<double> busy(static_cast<std::size_t>(timeline.sms), 0), until(busy);
  for (const BlockSpan& span : timeline.blocks) {
    busy[span.sm] += std::max(0.0, span.end - std::max(span.start, until[span.sm]));
    until[span.sm] = std::max(until[span.sm], span.end);
  }
  const double end = std::ranges::max(until);
  const double sum = std::accumulate(busy.begin(), busy.end(), 0.0);
  timeline.idle_share = end > 0 ? 1 - sum / (end * static_cast<double>(timeline.sms)) : 0;
}

}  // namespace

Result<GridTimeline> timeline_of(const run::Run& run, const std::atomic<bool>& cancel) {
  const auto counted = counted_of(run, cancel);
  if (!counted) return counted.error();
  const auto fit = occupancy_of(*run.job);
  if (!fit) return fit.error();
  SmHistory history;
  auto prediction = predict(*run.job, *run.kernel, *counted, {.history = &history, .cancel = cancel});
  if (!prediction) return prediction.error();
  GridTimeline timeline{.prediction = *std::move(prediction), .blocks = {}};
  timeline.grid = catalog::blocks_in_grid(run.plan().launch);
  timeline.sms = std::max(run.device().sm_count, 1);
  timeline.held = fit->blocks_per_sm;
  const auto wave = static_cast<std::uint64_t>(timeline.sms) * static_cast<std::uint64_t>(timeline.held);
  timeline.full_waves = timeline.grid / wave;
  timeline.last_blocks = timeline.grid % wave;
  timeline.together = (timeline.grid + kMostSpans - 1) / kMostSpans;
  if (history.placed.empty())
    place_blocks(timeline, durations_of(history, timeline), parameters_of(run.device()));
  else
    take_placed(timeline, history.placed);
  scale(timeline, run.device().boost_clock_mhz * 1e6);
  describe_last_wave(timeline);
  describe_idle(timeline);
  describe_end(timeline);
  return timeline;
}

}  // namespace warplens::time
