#include "engine/time/chip/uneven.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
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

// Of a block, when it is the first, the second, ... oldest of its SM: lengths a cycle.
using Rates = std::vector<double>;

// How far the oldest are ahead, where so many equal blocks start together: cycles until the last of them ends.
double cycles_of_equal(const Rates& rates, std::size_t blocks) {
  std::vector<double> left(blocks, 1);
  double now = 0;
  while (!left.empty()) {
    double step = kNever;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (rates[i] > 0) step = std::min(step, left[i] / rates[i]);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= step * rates[i];
    std::erase_if(left, [](double rest) { return rest < 1e-9; });
    now += step;
  }
  return now;
}

// An SM's schedulers prefer the warps that are there longest, so that a block leaves to younger ones what it cannot use
// itself: what each of them adds is so much that equal blocks take as long together as is known.
Rates rates_by_age(const std::vector<double>& cycles) {
  Rates rates{1 / cycles.front()};
  for (std::size_t blocks = 2; blocks <= cycles.size(); ++blocks) {
    double low = 0, high = rates.front();
    rates.push_back(0);
    for (int halving = 0; halving < 40; ++halving) {
      rates.back() = (low + high) / 2;
      (cycles_of_equal(rates, blocks) > cycles[blocks - 1] ? low : high) = rates.back();
    }
  }
  return rates;
}

// An SM with its blocks.
class Sm {
 public:
  // What it did until then.
  void advance(double to, const Rates& rates) {
    for (std::size_t i = 0; i < running_.size(); ++i)
      running_[i].left = std::max(0.0, running_[i].left - (to - now_) * rates[i]);
    if (!running_.empty()) busy_ += to - now_;
    resident_ += static_cast<double>(running_.size()) * (to - now_);
    now_ = to;
  }
  void begin(double length, std::size_t start) { running_.push_back({length, start}), ++version_; }
  // Which start has ended: the one with the least left.
  std::size_t end(const Rates& rates) {
    const auto ended = running_.begin() + static_cast<std::ptrdiff_t>(first_to_end(rates).first);
    const std::size_t start = ended->start;
    running_.erase(ended), ++version_;
    return start;
  }
  double next_end(const Rates& rates) const { return now_ + first_to_end(rates).second; }
  std::size_t blocks() const { return running_.size(); }
  std::uint32_t version() const { return version_; }
  double busy() const { return busy_; }
  double resident() const { return resident_; }

 private:
  struct Running {
    double left = 0;
    std::size_t start = 0;
  };
  // Its place, and cycles until then.
  std::pair<std::size_t, double> first_to_end(const Rates& rates) const {
    std::pair<std::size_t, double> first{0, kNever};
    for (std::size_t i = 0; i < running_.size(); ++i)
      if (const double cycles = running_[i].left > 0 ? running_[i].left / rates[i] : 0; cycles < first.second)
        first = {i, cycles};
    return first;
  }
  std::vector<Running> running_;  // the oldest first
  double now_ = 0, busy_ = 0, resident_ = 0;
  std::uint32_t version_ = 0;
};

class Starting {
 public:
  Starting(std::vector<Start> starts, const Pace& pace)
      : starts_(std::move(starts)),
        pace_(pace),
        sms_(static_cast<std::size_t>(pace.sms)),
        rates_(rates_by_age(pace.cycles)),
        by_blocks_(pace.cycles.size() + 1),
        place_of_(sms_.size()),
        placed_(starts_.size()) {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) put(sm);
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

  // One of those with the fewest blocks. Which of them a device takes is not written anywhere, and not the same order again and
  // again: so it is as if by chance, and always the same.
  std::optional<std::uint32_t> sm_with_room() const {
    constexpr std::uint64_t kScatter = 0x9e3779b97f4a7c15;
    for (std::size_t blocks = 0; blocks + 1 < by_blocks_.size(); ++blocks)
      if (const auto& sms = by_blocks_[blocks]; !sms.empty())
        return sms[static_cast<std::size_t>((next_ + 1) * kScatter >> 33) % sms.size()];
    return std::nullopt;
  }
  void put(std::uint32_t sm) {
    auto& sms = by_blocks_[sms_[sm].blocks()];
    place_of_[sm] = sms.size();
    sms.push_back(sm);
  }
  void take(std::uint32_t sm) {
    auto& sms = by_blocks_[sms_[sm].blocks()];
    place_of_[sms.back()] = place_of_[sm];
    sms[place_of_[sm]] = sms.back();
    sms.pop_back();
  }
  double next_end() {
    while (!ends_.empty() && std::get<2>(ends_.top()) != sms_[std::get<1>(ends_.top())].version())
      ends_.pop();
    return ends_.empty() ? kNever : std::get<0>(ends_.top());
  }
  void start_on(std::uint32_t number, double now) {
    Sm& sm = sms_[number];
    const Start& start = starts_[next_];
    sm.advance(now, rates_);
    take(number);
    sm.begin(least_ * static_cast<double>(start.blocks) + (1 - least_) * start.length, next_);
    placed_[next_] = {start.first, start.blocks, number, now, now};
    note(number);
    may_start_ = now + pace_.start_interval * static_cast<double>(start.blocks);
    now_ = now, ++next_;
  }
  void end_one() {
    const auto [when, number, version] = ends_.top();
    Sm& sm = sms_[number];
    sm.advance(when, rates_);
    take(number);
    placed_[sm.end(rates_)].end = when;
    note(number);
    now_ = when;
  }
  void note(std::uint32_t number) {
    const Sm& sm = sms_[number];
    put(number);
    if (sm.blocks() > 0) ends_.emplace(sm.next_end(rates_), number, sm.version());
  }

  std::vector<Start> starts_;
  const Pace& pace_;
  std::vector<Sm> sms_;
  Rates rates_;
  std::vector<std::vector<std::uint32_t>> by_blocks_;  // SMs by how many they have
  std::vector<std::size_t> place_of_;                  // of an SM, there
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<PlacedBlocks> placed_;
  std::size_t next_ = 0;
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
