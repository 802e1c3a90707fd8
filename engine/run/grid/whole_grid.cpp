#include "engine/run/grid/whole_grid.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace warplens::run {
namespace {

using Index = std::array<std::uint64_t, 3>;  // of a block, in x, y and z

// Blocks first + step * i, i below count, in each direction.
struct Box {
  Index first, step, count;
  int splits = 0;  // that made it

  Index at(const Index& i) const {
    Index block{};
    for (std::size_t d = 0; d < 3; ++d) block[d] = first[d] + step[d] * i[d];
    return block;
  }
  std::uint64_t blocks() const { return count[0] * count[1] * count[2]; }
  std::array<Index, 3> witnesses() const {
    Index middle{}, last{};
    for (std::size_t d = 0; d < 3; ++d) middle[d] = count[d] / 2, last[d] = count[d] - 1;
    return {at({}), at(middle), at(last)};
  }
};

// The two parts of a box cut before block i of direction d.
std::pair<Box, Box> cut(const Box& box, std::size_t d, std::uint64_t i) {
  Box low = box, high = box;
  low.count[d] = i;
  high.first[d] += box.step[d] * i;
  high.count[d] -= i;
  return {low, high};
}

// Tails stand at the end: the last block of each direction goes first, then the first one, then halves.
std::vector<Box> split(const Box& box) {
  std::vector<Box> parts = {box};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t many = box.count[d];
    if (many < 2) continue;
    const std::uint64_t place = box.splits == 0 ? many - 1 : box.splits == 1 ? 1 : many / 2;
    std::vector<Box> finer;
    for (const Box& part : parts) {
      const auto [low, high] = cut(part, d, place);
      finer.push_back(low);
      finer.push_back(high);
    }
    parts = std::move(finer);
  }
  for (Box& part : parts) ++part.splits;
  return parts;
}

// One box for each place that a block has in the period.
std::vector<Box> boxes_of(const std::array<std::uint32_t, 3>& grid, const Index& period) {
  std::vector<Box> boxes;
  const auto many = [&](std::size_t d, std::uint64_t from) {
    return (grid[d] - from + period[d] - 1) / period[d];
  };
  for (std::uint64_t z = 0; z < std::min<std::uint64_t>(period[2], grid[2]); ++z)
    for (std::uint64_t y = 0; y < std::min<std::uint64_t>(period[1], grid[1]); ++y)
      for (std::uint64_t x = 0; x < std::min<std::uint64_t>(period[0], grid[0]); ++x)
        boxes.push_back({{x, y, z}, period, {many(0, x), many(1, y), many(2, z)}, 0});
  return boxes;
}

class Counting {
 public:
  Counting(const emulator::Kernel& kernel, emulator::Launch launch, std::uint64_t most_blocks,
           emulator::GlobalMemory& memory)
      : kernel_(kernel), launch_(std::move(launch)), most_blocks_(most_blocks), memory_(memory) {
    wanted_.insert(launch_.blocks.begin(), launch_.blocks.end());
    launch_.count_each = true;
  }

  Result<std::optional<WholeGrid>> count(std::vector<Box> boxes) {
    while (!boxes.empty()) {
      for (const Box& box : boxes)
        for (const Index& block : box.witnesses()) wanted_.insert(linear(block));
      if (wanted_.size() > most_blocks_) return std::optional<WholeGrid>();
      if (auto ran = run_wanted(); !ran) return ran.error();
      if (whole_.outcome.fault) break;
      boxes = settle(boxes);
    }
    whole_.outcome.work = work_of_all();
    for (const auto& [block, counters] : known_) {
      whole_.blocks.push_back(block);
      whole_.stored_bytes += counters.global_store.bytes_used;
    }
    return std::optional(std::move(whole_));
  }

 private:
  std::uint64_t linear(const Index& block) const {
    return block[0] + launch_.grid[0] * (block[1] + launch_.grid[1] * block[2]);
  }

  Result<Done> run_wanted() {
    launch_.blocks.clear();
    for (const std::uint64_t block : wanted_)
      if (!known_.contains(block)) launch_.blocks.push_back(block);
    if (launch_.blocks.empty()) return Done{};
    auto outcome = kernel_.run(launch_, memory_);
    if (!outcome) return outcome.error();
    for (std::size_t i = 0; i < launch_.blocks.size(); ++i)
      known_.emplace(launch_.blocks[i], std::move(outcome->each[i]));
    for (const emulator::BlockWork& work : outcome->work)
      for (std::uint64_t i = 0; i < work.blocks; ++i) works_[work.first + i] = work;
    add(*std::move(outcome));
    return Done{};
  }

  // What is not counted: words, time, a fault with the counts up to it.
  void add(emulator::Outcome outcome) {
    emulator::Outcome& all = whole_.outcome;
    all.printed += outcome.printed;
    all.seconds += outcome.seconds;
    all.threads_used = std::max(all.threads_used, outcome.threads_used);
    all.serial = outcome.serial;
    if (!outcome.fault) return;
    all.fault = std::move(outcome.fault);
    all.counters = std::move(outcome.counters);
  }

  // Counts the boxes whose witnesses agree; returns the parts of the others.
  std::vector<Box> settle(const std::vector<Box>& boxes) {
    std::vector<Box> left;
    for (const Box& box : boxes) {
      const auto witnesses = box.witnesses();
      const emulator::Counters& first = known_.at(linear(witnesses[0]));
      if (first == known_.at(linear(witnesses[1])) && first == known_.at(linear(witnesses[2]))) {
        emulator::Counters all = first;
        all *= box.blocks();
        whole_.outcome.counters += all;
        settled_.push_back(box);
        continue;
      }
      const auto parts = split(box);
      left.insert(left.end(), parts.begin(), parts.end());
    }
    return left;
  }

  // Of each box its first block's. Empty where that is not known.
  std::vector<emulator::BlockWork> work_of_all() const {
    const auto work_of = [&](const Box& box) { return works_.find(linear(box.first)); };
    const std::uint64_t grid = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
    if (settled_.empty() || grid > emulator::kMostBlocksKept) return {};
    for (const Box& box : settled_)
      if (work_of(box) == works_.end()) return {};
    emulator::WorkOfBlocks all({}, grid);
    for (const Box& box : settled_) {
      const emulator::BlockWork& work = work_of(box)->second;
      for (std::uint64_t z = 0; z < box.count[2]; ++z)
        for (std::uint64_t y = 0; y < box.count[1]; ++y)
          for (std::uint64_t x = 0; x < box.count[0]; ++x)
            all.keep(linear(box.at({x, y, z})), work.instructions, work.longest);
    }
    return all.all();
  }

  const emulator::Kernel& kernel_;
  emulator::Launch launch_;
  std::uint64_t most_blocks_;
  emulator::GlobalMemory& memory_;
  std::vector<Box> settled_;
  std::map<std::uint64_t, emulator::BlockWork> works_;  // by block
  std::set<std::uint64_t> wanted_;
  std::map<std::uint64_t, emulator::Counters> known_;
  WholeGrid whole_;
};

}  // namespace

Result<std::optional<WholeGrid>> count_whole_grid(const emulator::Kernel& kernel, emulator::Launch launch,
                                                  const BlockKinds& kinds, std::uint64_t most_blocks,
                                                  emulator::GlobalMemory& memory) {
  if (!kinds.why_not.empty()) return std::optional<WholeGrid>();
  const auto boxes = boxes_of(launch.grid, kinds.period);
  return Counting(kernel, std::move(launch), most_blocks, memory).count(boxes);
}

}  // namespace warplens::run
