#include "engine/emulator/execution/printed.hpp"

#include <gtest/gtest.h>

namespace warplens::emulator {
namespace {

TEST(Printed, StandsInTheOrderOfBlocks) {
  Printed printed;
  printed.add(7, "seven ");
  printed.add(2, "two ");
  printed.add(3, "three ");
  EXPECT_EQ(printed.text(7), "two three seven ");
  EXPECT_EQ(printed.text(6), "two three ");
}

// Which blocks end first is chance: what is kept must not depend on it.
TEST(Printed, KeepsTheFirstBlocksWhicheverEndFirst) {
  const auto text = [](std::uint64_t block) {
    return std::string(kMostPrinted / 4 + 1, static_cast<char>('a' + block));
  };
  Printed forwards, backwards;
  for (std::uint64_t block = 0; block < 10; ++block) {
    if (forwards.has_room(block)) forwards.add(block, text(block));
    if (backwards.has_room(9 - block)) backwards.add(9 - block, text(9 - block));
  }
  EXPECT_TRUE(forwards.is_full());
  EXPECT_FALSE(forwards.has_room(4));
  EXPECT_EQ(forwards.text(9).size(), kMostPrinted);
  EXPECT_EQ(forwards.text(9), backwards.text(9));
}

}  // namespace
}  // namespace warplens::emulator
