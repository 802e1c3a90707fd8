// What the lanes of one warp know of each other: by meeting in __syncwarp() and the like, and by atomics and
// volatile accesses with fences, as threads of different warps do. Time is counted in meetings: it goes on
// with every meeting and every fence of the warp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::check {

// Of each lane: all is known that it did before this meeting.
using LaneClocks = std::array<std::uint32_t, 32>;

void join(std::array<std::uint32_t, 32>& to, const std::array<std::uint32_t, 32>& from);  // the later of each

class LaneOrder {
 public:
  std::uint32_t now() const { return now_; }
  // Of those lanes, which did something at that time, the ones of which `lane` does not know it.
  std::uint32_t unmet(std::uint32_t time, std::uint32_t lanes, std::uint32_t lane) const;
  bool all_met_since(std::uint32_t time) const { return all_met_ > time; }

  void meet(std::uint32_t lanes, std::uint32_t alive);
  void fence(std::uint32_t lanes);
  // What the lanes knew and had done at their last fences; nothing of those that had none.
  void tell(std::uint32_t lanes, LaneClocks& to) const;
  void hear(std::uint32_t lanes, const LaneClocks& told);
  bool has_fenced() const { return !fenced_.empty(); }

 private:
  std::uint32_t now_ = 1, all_met_ = 0;
  std::vector<LaneClocks> known_;   // of each lane; empty: none but by meetings of all
  std::vector<LaneClocks> fenced_;  // as it was at its last fence; empty: none had one
};

}  // namespace warplens::check
