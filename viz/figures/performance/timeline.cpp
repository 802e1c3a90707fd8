#include "viz/figures/performance/timeline.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace warplens::figures {
namespace {

using Sm = Timeline::Sm;

// Every SM that ran a block and, where the device has more, the lowest ids that are left.
std::set<std::uint32_t> sm_ids(const TimelineInput& input) {
  std::set<std::uint32_t> ids;
  for (const BlockTime& block : input.blocks) ids.insert(block.sm);
  for (std::uint32_t id = 0; ids.size() < input.sms; ++id) ids.insert(id);
  return ids;
}

// The lowest slot that is free from `start` on; a block may start in the nanosecond in which another ends.
std::uint32_t take_slot(std::vector<double>& free_from, double start, double end) {
  const auto free = std::find_if(free_from.begin(), free_from.end(), [&](double t) { return t <= start; });
  const auto slot = static_cast<std::uint32_t>(free - free_from.begin());
  if (free == free_from.end())
    free_from.push_back(end);
  else
    *free = end;
  return slot;
}

}  // namespace

Timeline::Timeline(TimelineInput input) : input_(std::move(input)) {
  place_blocks();
  measure_sms();
}

void Timeline::place_blocks() {
  const auto by_start = [](const BlockTime& a, const BlockTime& b) {
    return std::tie(a.start_ns, a.block) < std::tie(b.start_ns, b.block);
  };
  std::sort(input_.blocks.begin(), input_.blocks.end(), by_start);
  std::map<std::uint32_t, std::size_t> rows;
  for (const std::uint32_t id : sm_ids(input_)) {
    rows.emplace(id, sms_.size());
    sms_.push_back({id, {}, 0, 0});
  }
  const std::uint64_t zero = input_.blocks.empty() ? 0 : input_.blocks.front().start_ns;
  std::vector<std::vector<double>> free_from(sms_.size());
  std::vector<std::vector<std::uint32_t>> waves(sms_.size());
  for (const BlockTime& block : input_.blocks) {
    const std::size_t row = rows.at(block.sm);
    const auto start = static_cast<double>(block.start_ns - zero);
    const auto end = static_cast<double>(std::max(block.end_ns, block.start_ns) - zero);
    const std::uint32_t slot = take_slot(free_from[row], start, end);
    if (slot >= waves[row].size()) waves[row].push_back(0);
    sms_[row].bars.push_back({block.block, start, end, slot, waves[row][slot]++});
    slots_ = std::max(slots_, slot + 1);
    waves_ = std::max(waves_, waves[row][slot]);
    duration_ = std::max(duration_, end);
  }
}

void Timeline::measure_sms() {
  tail_start_ = duration_;
  for (Sm& sm : sms_) {
    for (const Bar& bar : sm.bars) {
      sm.busy += std::max(0.0, bar.end - std::max(bar.start, sm.last_end));
      sm.last_end = std::max(sm.last_end, bar.end);
    }
    tail_start_ = std::min(tail_start_, sm.last_end);
  }
}

double Timeline::full_waves() const {
  const double room = static_cast<double>(sms_.size()) * held();
  return room > 0 ? static_cast<double>(blocks()) / room : 0;
}

double Timeline::busy_share() const {
  double busy = 0;
  for (const Sm& sm : sms_) busy += sm.busy;
  const double all = duration_ * static_cast<double>(sms_.size());
  return all > 0 ? busy / all : 0;
}

}  // namespace warplens::figures
