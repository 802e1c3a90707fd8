#include "engine/time/reason.hpp"

#include <gtest/gtest.h>

namespace warplens::time {
namespace {

Prediction with(Stall stall, double share) {
  Prediction p;
  p.warp_instructions = 100;
  p.stalls[static_cast<std::size_t>(stall)] = share;
  return p;
}

TEST(Reason, NamesWhatWarpsWaitForMore) {
  EXPECT_EQ(why_slower(with(Stall::barrier, 0.3), with(Stall::barrier, 0.1), "step 5"),
            "its warps wait 30 % of their time for the others of their block, against 10 % in step 5");
}

TEST(Reason, MoreInstructionsComeFirst) {
  Prediction slower = with(Stall::barrier, 0.3);
  slower.warp_instructions = 120;
  EXPECT_EQ(why_slower(slower, with(Stall::barrier, 0.1), "step 5"),
            "it executes 20 % more instructions than step 5");
}

TEST(Reason, SaysNothingWhereTheModelSeesNoDifference) {
  EXPECT_EQ(why_slower(with(Stall::pipe, 0.31), with(Stall::pipe, 0.3), "step 5"), "");
}

}  // namespace
}  // namespace warplens::time
