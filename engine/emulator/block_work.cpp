#include "engine/emulator/block_work.hpp"

#include <algorithm>

namespace warplens::emulator {

void append(std::vector<BlockWork>& work, const BlockWork& more) {
  const bool goes_on = !work.empty() && work.back().first + work.back().blocks == more.first &&
                       work.back().instructions == more.instructions && work.back().longest == more.longest;
  if (goes_on)
    work.back().blocks += more.blocks;
  else
    work.push_back(more);
}

std::vector<BlockWork> over_grid(std::span<const BlockWork> work, std::uint64_t grid) {
  std::vector<BlockWork> all;
  std::uint64_t from = 0;
  for (std::size_t i = 0; i < work.size() && from < grid; ++i) {
    const std::uint64_t behind = work[i].first + work[i].blocks;
    const std::uint64_t to = i + 1 < work.size() ? behind + (work[i + 1].first - behind) / 2 : grid;
    append(all, {from, to - from, work[i].instructions, work[i].longest});
    from = to;
  }
  return all;
}

WorkOfBlocks::WorkOfBlocks(std::span<const std::uint64_t> blocks, std::uint64_t grid) : blocks_(blocks) {
  const std::uint64_t count = blocks.empty() ? grid : blocks.size();
  if (count <= kMostBlocksKept) kept_.resize(static_cast<std::size_t>(count));
}

void WorkOfBlocks::keep(std::uint64_t block, std::uint64_t instructions, std::uint64_t longest) {
  if (kept_.empty()) return;
  if (blocks_.empty()) {
    kept_[static_cast<std::size_t>(block)] = {instructions, longest};
    return;
  }
  const auto found = std::ranges::lower_bound(blocks_, block);
  if (found == blocks_.end() || *found != block) return;  // it runs beside them
  kept_[static_cast<std::size_t>(found - blocks_.begin())] = {instructions, longest};
}

std::vector<BlockWork> WorkOfBlocks::all() const {
  std::vector<BlockWork> work;
  for (std::size_t i = 0; i < kept_.size(); ++i)
    append(work, {blocks_.empty() ? i : blocks_[i], 1, kept_[i][0], kept_[i][1]});
  return work;
}

}  // namespace warplens::emulator
