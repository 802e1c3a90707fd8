// How the threads of a block add up what they have: round after round, which of them work, and whose value
// each takes. Found in what the threads pass to each other, whatever the source looks like.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ptx/program.hpp"
#include "engine/report/access_story.hpp"
#include "engine/trace/lanes.hpp"

namespace warplens::report {

// Threads are numbered in the block; thread t is lane t % 32 of warp t / 32.
struct ReductionTree {
  struct Arc {
    std::uint32_t from = 0, to = 0;
    bool counts = false;  // the result has it; a shuffle makes other lanes add as well
  };
  struct Round {
    std::vector<std::uint32_t> pcs;  // of the loads, or the shuffle
    int line = 0;                    // of the kernel's own text
    std::uint32_t turn = 0;          // of the loop around it, from 0
    bool is_shuffle = false;
    bool adds = true;                  // false: values are only handed on
    std::vector<std::uint32_t> lanes;  // of each warp, those that execute it
    std::vector<Arc> arcs;
    std::uint32_t working_lanes() const;  // of the whole block
    std::uint32_t working_warps() const;
    std::uint32_t useful_lanes() const;  // into which an arc that counts goes
    // "lane + 4", where all arcs have this distance.
    std::optional<std::int64_t> distance() const;
  };
  std::uint32_t threads = 0, warps = 0;
  std::vector<Round> rounds;
  std::vector<std::uint32_t> results;  // the threads that write what comes out
  // The round that this instruction is part of in this turn; nothing for others.
  std::optional<std::size_t> round_of(std::uint32_t pc, std::uint32_t turn) const;
};

// Null for a block that is no reduction: where more than a quarter of the threads write results, or fewer
// than two rounds of additions lead to them.
std::shared_ptr<const ReductionTree> reduction_tree(const trace::BlockLanes& lanes,
                                                    const ptx::Function& function,
                                                    const std::vector<int>& kernel_lines,
                                                    const AccessStory& story);

}  // namespace warplens::report
