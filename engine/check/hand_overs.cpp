#include "engine/check/hand_overs.hpp"

#include <utility>

namespace warplens::check {
namespace {
// Words that are remembered, the first ones: of a kernel with a lock for each element a few are enough.
constexpr std::size_t kMostWords = 64, kMostWarps = 4096;
// Of flags one a block is usual, and all blocks may add to one word.
constexpr std::size_t kMostFlags = 4096, kMostOfWord = 64, kMostHeard = 65536;
}  // namespace

void HandOvers::give(const ThreadId& thread, std::uint64_t address, std::uint32_t width, std::uint32_t pc,
                     std::uint32_t step) {
  if (given_.size() >= kMostWords && !given_.contains(address)) return;
  Given& given = given_[address][{thread.block, thread.warp}];
  given.steps[thread.lane] = step + 1;
  given.pcs[thread.lane] = pc;
  given.width = width;
}

void HandOvers::take(const ThreadId& thread, std::uint64_t address, std::uint32_t pc) {
  if (taken_.size() >= kMostWarps && !taken_.contains({thread.block, thread.warp})) return;
  Taken& taken = taken_[{thread.block, thread.warp}];
  taken.addresses[thread.lane] = address;
  taken.pcs[thread.lane] = pc;
}

HandOvers::Place HandOvers::between(const ThreadId& before, std::uint32_t step, const ThreadId& now) const {
  const auto taken = taken_.find({now.block, now.warp});
  if (taken == taken_.end()) return {};
  const std::uint64_t address = taken->second.addresses[now.lane];
  const auto word = given_.find(address);
  if (word == given_.end()) return {};
  const auto given = word->second.find({before.block, before.warp});
  if (given == word->second.end() || given->second.steps[before.lane] <= step) return {};
  return {address, given->second.width, taken->second.pcs[now.lane], given->second.pcs[before.lane]};
}

void HandOvers::set(const ThreadId& thread, std::uint64_t address, std::uint32_t width, std::uint32_t pc,
                    std::uint32_t step) {
  if (words_.size() >= kMostFlags && !words_.contains(address)) return;
  Word& word = words_[address];
  if (word.by_block.size() >= kMostOfWord && !word.by_block.contains(thread.block)) return;
  ++word.changes;
  word.by_block[thread.block] = {step, {address, width, 0, pc}};
}

void HandOvers::hear(const ThreadId& thread, std::uint64_t address, std::uint32_t pc) {
  const auto found = words_.find(address);
  if (found == words_.end()) return;
  Word& word = found->second;
  if (std::exchange(word.heard[thread.block], word.changes) == word.changes) return;
  for (const auto& [block, flag] : word.by_block) {
    if (block == thread.block || heard_.size() >= kMostHeard) continue;
    Flag& heard = heard_[{thread.block, block}];
    if (heard.place.address != 0 && heard.step >= flag.step) continue;
    heard = flag;
    heard.place.taken = pc;
  }
}

HandOvers::Place HandOvers::flag_between(std::uint32_t before, std::uint32_t step, std::uint32_t now) const {
  const auto heard = heard_.find({now, before});
  return heard == heard_.end() || heard->second.step <= step ? Place{} : heard->second.place;
}

}  // namespace warplens::check
