// Which samples of a timing are outliers.
#include "engine/measured/timing.hpp"

#include <gtest/gtest.h>

namespace warplens::measured {
namespace {

TEST(Fences, StandOneAndAHalfTimesTheQuartilesAway) {
  const Fences fences = fences_of({5, 1, 3, 2, 4});  // quartiles 2 and 4
  EXPECT_DOUBLE_EQ(fences.low, -1);
  EXPECT_DOUBLE_EQ(fences.high, 7);
  EXPECT_FALSE(fences.are_crossed_by(7));
  EXPECT_TRUE(fences.are_crossed_by(7.1));
  EXPECT_TRUE(fences.are_crossed_by(-1.1));
}

TEST(Fences, OfEqualSamplesAreThese) {
  const Fences fences = fences_of({2, 2, 2});
  EXPECT_FALSE(fences.are_crossed_by(2));
  EXPECT_TRUE(fences.are_crossed_by(2.1));
  EXPECT_FALSE(fences_of({}).are_crossed_by(0));
}

}  // namespace
}  // namespace warplens::measured
