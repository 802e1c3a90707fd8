#include "engine/time/chip/partitions.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace warplens::time {
namespace {

// Accesses of a warp that may be under way together: blocks run through each other by about so much. And how
// many such moments of a block are looked at, and sectors of each.
constexpr std::size_t kTogether = 8, kMoments = 16, kMostSectors = 4096;

using Steps = std::map<std::uint32_t, std::int64_t>;  // bytes from block to block, by pc

std::map<std::uint32_t, std::uint64_t> first_addresses(const RecordedBlock& block) {
  std::map<std::uint32_t, std::uint64_t> first;
  for (const auto& warp : block.warps)
    for (const RecordedAccess& access : warp) first.emplace(access.pc, access.address);
  return first;
}

Steps steps_to(const RecordedBlock& from, const RecordedBlock& to) {
  Steps steps;
  const auto here = first_addresses(from), there = first_addresses(to);
  for (const auto& [pc, address] : here)
    if (const auto found = there.find(pc); found != there.end())
      steps[pc] = static_cast<std::int64_t>(found->second - address);
  return steps;
}

std::int64_t at(const Steps& steps, std::uint32_t pc) {
  const auto found = steps.find(pc);
  return found == steps.end() ? 0 : found->second;
}

class Memory {
 public:
  Memory(const std::vector<RecordedBlock>& blocks, const Neighbours& n, const Wave& wave, const Partitions& p)
      : block_(blocks[0]), wave_(wave), p_(p) {
    if (n.right != 0) right_ = steps_to(block_, blocks[n.right]);
    if (n.below != 0) below_ = steps_to(block_, blocks[n.below]);
  }

  // Of one kind, loads or stores: `from` counts the accesses of each warp.
  struct Moment {
    std::vector<const RecordedAccess*> accesses;
    double camping = 1;  // the fullest partition has so many times its share
    double closed = 0;   // share of the pages that are not open when they are needed
  };
  Moment moment(std::size_t from, bool stores) const {
    Moment moment;
    for (const auto& warp : block_.warps)
      for (std::size_t i = from; i < std::min(from + kTogether, warp.size()); ++i)
        if (warp[i].is_store == stores) moment.accesses.push_back(&warp[i]);
    if (!moment.accesses.empty()) look(moment);
    return moment;
  }

 private:
  void look(Moment& moment) const {
    std::vector<double> load(static_cast<std::size_t>(p_.number));
    std::unordered_set<std::uint64_t> pages, asked;
    std::size_t sectors = 0;
    for (const RecordedAccess* access : moment.accesses) sectors += access->count;
    const std::size_t every = sectors / kMostSectors + 1;
    double all = 0;
    for (std::size_t a = 0; a < moment.accesses.size(); a += every)
      for (std::uint64_t b = 0; b < static_cast<std::uint64_t>(wave_.blocks); ++b) {
        const RecordedAccess& access = *moment.accesses[a];
        const std::int64_t away = static_cast<std::int64_t>(b % wave_.across) * at(right_, access.pc) +
                                  static_cast<std::int64_t>(b / wave_.across) * at(below_, access.pc);
        for (std::uint32_t i = 0; i < access.count; ++i) {
          const std::uint64_t address =
              block_.sectors[access.first + i] * 32 + static_cast<std::uint64_t>(away);
          if (!asked.insert(address / 32).second) continue;  // its partition gives it to all that wait
          load[static_cast<std::size_t>(p_.partition_of(address))] += 1, all += 1;
          pages.insert(p_.page_of(address));
        }
      }
    moment.camping = *std::ranges::max_element(load) * static_cast<double>(p_.number) / all;
    moment.closed =
        std::clamp(1 - p_.open_pages / std::max(static_cast<double>(pages.size()), 1.0), 0.0, 1.0);
  }

  const RecordedBlock& block_;
  Wave wave_;
  Partitions p_;
  Steps right_, below_;
};

struct Sums {
  double sectors = 0, camping = 0, requests = 0, pages = 0;
};

}  // namespace

void add_partitions(std::map<std::uint32_t, AccessProfile>& profiles,
                    const std::vector<RecordedBlock>& blocks, const Neighbours& neighbours, const Wave& wave,
                    const Partitions& partitions) {
  if (!partitions.are_known() || blocks.empty()) return;
  const Memory memory(blocks, neighbours, wave, partitions);
  std::size_t longest = 0;
  for (const auto& warp : blocks[0].warps) longest = std::max(longest, warp.size());
  const std::size_t moments = (longest + kTogether - 1) / kTogether, every = moments / kMoments + 1;
  std::map<std::uint32_t, Sums> sums;
  for (std::size_t m = 0; m < moments; m += every)
    for (const bool stores : {false, true}) {
      const auto moment = memory.moment(m * kTogether, stores);
      for (const RecordedAccess* access : moment.accesses) {
        Sums& sum = sums[access->pc];
        sum.sectors += access->count, sum.camping += moment.camping * access->count;
        sum.requests += 1, sum.pages += moment.closed * access->pages;
      }
    }
  for (const auto& [pc, sum] : sums) {
    profiles[pc].camping = sum.sectors > 0 ? sum.camping / sum.sectors : 1;
    profiles[pc].pages = sum.pages / sum.requests;
  }
}

}  // namespace warplens::time
