#include "engine/time/chip/uneven.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace warplens::time {
namespace {

using emulator::BlockWork;

// Less than this over the mean is a tail, or chance.
constexpr double kUneven = 1.25;
// More than these are started several at a time.
constexpr double kMostStarts = 16'384;
constexpr double kNever = std::numeric_limits<double>::infinity();

double sum_of(std::span<const BlockWork> work, std::uint64_t BlockWork::*amount) {
  double sum = 0;
  for (const BlockWork& each : work)
    sum += static_cast<double>(each.blocks) * static_cast<double>(each.*amount);
  return sum;
}

double blocks_of(std::span<const BlockWork> work) {
  double sum = 0;
  for (const BlockWork& each : work) sum += static_cast<double>(each.blocks);
  return sum;
}

// What is started at a time.
struct Start {
  std::uint64_t first = 0, blocks = 1;
  double length = 1;
};

std::vector<Start> starts_of(std::span<const Lengths> blocks) {
  const auto together = static_cast<std::uint64_t>(std::max(1.0, count_of(blocks) / kMostStarts));
  std::vector<Start> starts;
  std::uint64_t first = 0;
  for (const Lengths& each : blocks)
    for (std::uint64_t i = 0; i < each.blocks; ++i, ++first) {
      if (first % together == 0) starts.push_back({first, 0, 0});
      ++starts.back().blocks, starts.back().length += each.length;
    }
  return starts;
}

// An SM with its blocks. All of them go on equally fast, by how many they are.
class Sm {
 public:
  // What it did until then.
  void advance(double to, const Pace& pace) {
    if (!ends_.empty()) {
      progress_ += (to - now_) / cycles_each(pace);
      busy_ += to - now_;
      resident_ += static_cast<double>(ends_.size()) * (to - now_);
    }
    now_ = to;
  }
  void begin(double length, std::size_t start) { ends_.emplace(progress_ + length, start), ++version_; }
  // Which start has ended.
  std::size_t end() {
    const std::size_t start = ends_.top().second;
    progress_ = std::max(progress_, ends_.top().first);
    ends_.pop(), ++version_;
    return start;
  }
  double next_end(const Pace& pace) const {
    return now_ + std::max(0.0, ends_.top().first - progress_) * cycles_each(pace);
  }
  std::size_t blocks() const { return ends_.size(); }
  std::uint32_t version() const { return version_; }
  double busy() const { return busy_; }
  double resident() const { return resident_; }

 private:
  double cycles_each(const Pace& pace) const {
    return pace.cycles[std::min(ends_.size(), pace.cycles.size()) - 1];
  }
  using End = std::pair<double, std::size_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;  // in progress, by start
  double now_ = 0, progress_ = 0, busy_ = 0, resident_ = 0;
  std::uint32_t version_ = 0;
};

class Starting {
 public:
  Starting(std::vector<Start> starts, const Pace& pace)
      : starts_(std::move(starts)),
        pace_(pace),
        sms_(static_cast<std::size_t>(pace.sms)),
        by_blocks_(pace.cycles.size() + 1),
        placed_(starts_.size()) {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) by_blocks_[0].insert(sm);
    least_ = std::min(1.0, pace.start / pace.cycles.front());
  }

  Spread run() {
    while (next_ < starts_.size() || !ends_.empty()) {
      const auto sm = sm_with_room();
      const double end = next_end();
      if (next_ == starts_.size() && end == kNever) break;
      if (next_ < starts_.size() && sm && std::max(now_, may_start_) <= end)
        start_on(*sm, std::max(now_, may_start_));
      else
        end_one();
    }
    Spread spread{now_, 0, 0};
    for (const Sm& sm : sms_) spread.busy += sm.busy(), spread.resident += sm.resident();
    spread.resident = spread.busy > 0 ? spread.resident / spread.busy : 1;
    return spread;
  }
  std::vector<PlacedBlocks> placed() && { return std::move(placed_); }

 private:
  using End = std::tuple<double, std::uint32_t, std::uint32_t>;  // when, SM, its version

  // Of those with the fewest blocks the next in turn.
  std::optional<std::uint32_t> sm_with_room() const {
    for (std::size_t blocks = 0; blocks + 1 < by_blocks_.size(); ++blocks) {
      if (by_blocks_[blocks].empty()) continue;
      const auto next = by_blocks_[blocks].upper_bound(last_);
      return next == by_blocks_[blocks].end() ? *by_blocks_[blocks].begin() : *next;
    }
    return std::nullopt;
  }
  double next_end() {
    while (!ends_.empty() && std::get<2>(ends_.top()) != sms_[std::get<1>(ends_.top())].version())
      ends_.pop();
    return ends_.empty() ? kNever : std::get<0>(ends_.top());
  }
  void start_on(std::uint32_t number, double now) {
    Sm& sm = sms_[number];
    const Start& start = starts_[next_];
    sm.advance(now, pace_);
    by_blocks_[sm.blocks()].erase(number);
    sm.begin(least_ * static_cast<double>(start.blocks) + (1 - least_) * start.length, next_);
    placed_[next_] = {start.first, start.blocks, number, now, now};
    note(number);
    may_start_ = now + pace_.start_interval * static_cast<double>(start.blocks);
    now_ = now, last_ = number, ++next_;
  }
  void end_one() {
    const auto [when, number, version] = ends_.top();
    Sm& sm = sms_[number];
    sm.advance(when, pace_);
    by_blocks_[sm.blocks()].erase(number);
    placed_[sm.end()].end = when;
    note(number);
    now_ = when;
  }
  void note(std::uint32_t number) {
    const Sm& sm = sms_[number];
    by_blocks_[sm.blocks()].insert(number);
    if (sm.blocks() > 0) ends_.emplace(sm.next_end(pace_), number, sm.version());
  }

  std::vector<Start> starts_;
  const Pace& pace_;
  std::vector<Sm> sms_;
  std::vector<std::set<std::uint32_t>> by_blocks_;  // SMs by how many they have
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<PlacedBlocks> placed_;
  std::size_t next_ = 0;
  std::uint32_t last_ = ~std::uint32_t{0};
  double now_ = 0, may_start_ = 0, least_ = 0;
};

}  // namespace

std::optional<std::uint64_t> longest_block(std::span<const BlockWork> work) {
  if (work.empty()) return std::nullopt;
  const auto more = [](const BlockWork& one, const BlockWork& other) {
    return std::pair(one.longest, one.instructions) < std::pair(other.longest, other.instructions);
  };
  const BlockWork& most = *std::ranges::max_element(work, more);
  const double mean = sum_of(work, &BlockWork::longest) / blocks_of(work);
  return static_cast<double>(most.longest) > kUneven * mean ? std::optional(most.first) : std::nullopt;
}

namespace {

const BlockWork& work_of(std::span<const BlockWork> work, std::uint64_t block) {
  const auto behind = std::ranges::upper_bound(work, block, {}, &BlockWork::first);
  return *std::prev(behind);
}

double most_of(std::span<const BlockWork> work) {
  std::uint64_t most = 1;
  for (const BlockWork& each : work) most = std::max(most, each.longest);
  return static_cast<double>(most);
}

}  // namespace

std::uint64_t usual_block(std::span<const BlockWork> work) {
  std::vector<BlockWork> sorted(work.begin(), work.end());
  std::ranges::sort(sorted, {}, [](const BlockWork& each) { return std::pair(each.longest, each.first); });
  const double all = blocks_of(work);
  double before = 0;
  for (const BlockWork& each : sorted)
    if (before += static_cast<double>(each.blocks); 2 * before >= all) return each.first;
  return 0;
}

bool has_long_warp(std::span<const BlockWork> work, std::uint64_t block, double warps) {
  const BlockWork& of = work_of(work, block);
  return warps * static_cast<double>(of.longest) > kUneven * static_cast<double>(of.instructions);
}

std::vector<std::vector<int>> alike_warps(const std::vector<std::vector<double>>& executed) {
  std::vector<std::pair<double, int>> warps;
  for (std::size_t warp = 0; warp < executed.size(); ++warp)
    warps.emplace_back(std::accumulate(executed[warp].begin(), executed[warp].end(), 0.0),
                       static_cast<int>(warp));
  std::ranges::stable_sort(warps, std::greater{}, &std::pair<double, int>::first);
  std::vector<std::vector<int>> alike;
  double most = 0;
  for (const auto& [instructions, warp] : warps) {
    if (alike.empty() || kUneven * instructions < most) alike.emplace_back(), most = instructions;
    alike.back().push_back(warp);
  }
  return alike;
}

std::vector<Lengths> lengths_of(std::span<const BlockWork> work) {
  const double most = most_of(work);
  std::vector<Lengths> lengths;
  for (const BlockWork& each : work)
    lengths.push_back({each.blocks, static_cast<double>(each.longest) / most});
  return lengths;
}

double length_of(std::span<const BlockWork> work, std::uint64_t block) {
  return static_cast<double>(work_of(work, block).longest) / most_of(work);
}

double times_mean_of(std::span<const BlockWork> work) {
  std::uint64_t most = 0;
  for (const BlockWork& each : work) most = std::max(most, each.instructions);
  const double sum = sum_of(work, &BlockWork::instructions);
  return sum > 0 ? static_cast<double>(most) * blocks_of(work) / sum : 1;
}

double count_of(std::span<const Lengths> blocks) {
  double count = 0;
  for (const Lengths& each : blocks) count += static_cast<double>(each.blocks);
  return count;
}

double mean_of(std::span<const Lengths> blocks) {
  double sum = 0;
  for (const Lengths& each : blocks) sum += static_cast<double>(each.blocks) * each.length;
  return sum / count_of(blocks);
}

Spread spread_over_sms(std::span<const Lengths> blocks, const Pace& pace, std::vector<PlacedBlocks>* placed) {
  Starting starting(starts_of(blocks), pace);
  const Spread spread = starting.run();
  if (placed != nullptr) *placed = std::move(starting).placed();
  return spread;
}

}  // namespace warplens::time
