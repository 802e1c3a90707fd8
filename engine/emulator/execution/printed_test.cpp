#include "engine/emulator/execution/printed.hpp"

#include <gtest/gtest.h>

#include "engine/base/text.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

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
  EXPECT_EQ(forwards.text(9).substr(0, kMostPrinted),
            std::string(kMostPrinted / 4 + 1, 'a') + std::string(kMostPrinted / 4 + 1, 'b') +
                std::string(kMostPrinted / 4 + 1, 'c') + std::string(kMostPrinted / 4 - 3, 'd'));
  EXPECT_EQ(forwards.text(9), backwards.text(9));
}

TEST(Printed, SaysHowManyLinesItLeftOut) {
  const std::string line = std::string(63, 'x') + "\n";
  std::string half;
  while (half.size() <= kMostPrinted / 2) half += line;
  const auto lines = half.size() / line.size();
  std::string first;
  for (std::uint64_t i = 0; i < kMostLines; ++i) first += line;
  Printed printed;
  printed.add(2, "short\n");
  EXPECT_EQ(printed.text(9), "short\n");
  EXPECT_EQ(printed.text(9, 7), "short\n(1 line shown, 7 left out)\n");
  for (const std::uint64_t block : {1, 0}) printed.add(block, half);
  EXPECT_EQ(printed.text(9, 1'000'000), first + "(4,096 lines shown, " +
                                            grouped(2 * lines + 1 - kMostLines + 1'000'000) + " left out)\n");
}

// printf("[%c]\n", 0), as the hardware prints it.
TEST(Printed, KeepsTheCharacterZero) {
  Bench bench(R"(
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 pattern, .param .b64 arguments);
.global .align 1 .b8 pattern[6] = {91, 37, 99, 93, 10, 0};
.visible .entry zero() {
  .local .align 8 .b8 arguments[8];
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  mov.u64 %rd1, arguments;
  cvta.local.u64 %rd2, %rd1;
  mov.u32 %r1, 0;
  st.local.u32 [%rd1], %r1;
  mov.u64 %rd3, pattern;
  cvta.global.u64 %rd4, %rd3;
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %rd4;
  .param .b64 param1;
  st.param.b64 [param1+0], %rd2;
  .param .b32 retval0;
  call.uni (retval0), vprintf, (param0, param1);
  ld.param.b32 %r2, [retval0+0];
  }
  ret;
}
)");
  ASSERT_EQ(bench.error(), "");
  const auto outcome = bench.run({});
  ASSERT_TRUE(outcome && !outcome->fault);
  EXPECT_EQ(outcome->printed, std::string("[\0]\n", 4));
}

}  // namespace
}  // namespace warplens::emulator
