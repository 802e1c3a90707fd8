#include "engine/base/result.hpp"

#include <gtest/gtest.h>

namespace warplens {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{"7 is odd", "give an even number", {"k.cu", 3, 0}};
  return n / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(*half(8), 4);
  ASSERT_FALSE(half(7));
  EXPECT_EQ(to_line(half(7).error()), "k.cu:3: 7 is odd; give an even number");
}

TEST(Error, IsOneLine) { EXPECT_EQ(to_line(Error{"a\nb", "", {}}), "a b"); }

}  // namespace
}  // namespace warplens
