// What additions round away, by numbers whose exact sums are known.
#include "engine/trace/rounding_recorder.hpp"

#include <gtest/gtest.h>

#include "engine/trace/exact_sum.hpp"

namespace warplens::trace {
namespace {

TEST(Exact, KeepsWhatADoubleRoundsAway) {
  const Exact large{1e30, 0}, one{1, 0};
  EXPECT_EQ((large + one - large).value(), 1);
  EXPECT_EQ(((large - one) + one).low, 0);
  const Exact third = Exact{1, 0} * Exact{0.1, 0};
  EXPECT_EQ(third.value(), 0.1);
  const Exact square = Exact{1 + 0x1p-40, 0} * Exact{1 + 0x1p-40, 0};
  EXPECT_EQ((square - Exact{1 + 0x1p-39, 0}).value(), 0x1p-80);
}

TEST(ThreadRounding, CountsInUnitsOfTheLastPlace) {
  ThreadRounding thread{.stored = true, .result = 16.000002, .exact = 16};
  thread.result = 16 + 0x1p-19;  // a float of 16 to 32 has units of 2^-19
  EXPECT_EQ(thread.unit(), 0x1p-19);
  EXPECT_EQ(thread.units_off(), 1);
  thread.exact = 0, thread.result = 0;
  EXPECT_EQ(thread.units_off(), 0);
}

TEST(WarpRounding, TheWorstIsTheOneFurthestOff) {
  WarpRounding warp;
  EXPECT_EQ(warp.worst(), -1);
  warp.threads[3] = {.stored = true, .result = 1, .exact = 1};
  EXPECT_EQ(warp.worst(), 3);
  warp.threads[7] = {.stored = true, .result = 0.5, .exact = 1};
  warp.threads[9] = {.stored = true, .result = 1.25, .exact = 1};
  EXPECT_EQ(warp.worst(), 7);
}

}  // namespace
}  // namespace warplens::trace
