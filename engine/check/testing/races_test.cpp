// Races in shared and in global memory, and what orders the two accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/check/testing/checked_bench.hpp"

namespace warplens::check {
namespace {

using ::testing::ElementsAre, ::testing::IsEmpty;

// Each thread stores its word of tile, and loads that of another one: `between` is what is done in between.
std::string exchange(const std::string& between, int other) {
  return "mov.u32 %r3, tile;\nadd.u32 %r4, %r3, %r2;\nst.shared.u32 [%r4], %r0;\n" + between +
         fmt::format("\nxor.b32 %r5, %r2, {};\nadd.u32 %r5, %r3, %r5;\nld.shared.u32 %r6, [%r5];\n",
                     4 * other);
}

TEST(Races, WarpsThatNoBarrierOrders) {
  EXPECT_THAT(found_in({exchange("mov.u32 %r7, 0;", 32)}), ElementsAre("race-shared 3: tile[32]"));
  EXPECT_THAT(found_in({exchange("bar.sync 0;", 32)}), IsEmpty());
}

TEST(Races, ABarrierOfTheWarpOrdersItsLanesAlone) {
  EXPECT_THAT(found_in({exchange("bar.warp.sync 0xffffffff;", 32)}), ElementsAre("race-shared 3: tile[32]"));
  EXPECT_THAT(found_in({exchange("bar.warp.sync 0xffffffff;", 1)}), IsEmpty());
}

TEST(Races, LanesOfAWarpGoTogetherBefore70) {
  const std::string unordered = exchange("mov.u32 %r7, 0;", 1);
  EXPECT_THAT(found_in({unordered}), ElementsAre("race-warp 7: tile[1]"));
  EXPECT_THAT(found_in({.body = unordered, .compute_capability = 61}), IsEmpty());
}

TEST(Races, BlocksThatStoreAtOnePlaceAreHarmlessWithOneValueAlone) {
  EXPECT_THAT(found_in({.body = "st.global.u32 [%d1], %r1;", .threads = 1, .blocks = 2}),
              ElementsAre("race-global 1: out[0]"));
  EXPECT_THAT(found_in({.body = "mov.u32 %r3, 7;\nst.global.u32 [%d1], %r3;", .threads = 1, .blocks = 2}),
              ElementsAre("information: race-global 2: out[0]"));
}

TEST(Races, BlocksThatAddByAtomics) {
  EXPECT_THAT(found_in({.body = "mul.wide.u32 %d2, %r1, 4;\nadd.u64 %d3, %d1, %d2;\nmov.u32 %r3, 0;\n"
                                "st.global.u32 [%d3], %r3;\nred.global.add.u32 [%d3], %r0;",
                        .threads = 1,
                        .blocks = 2}),
              IsEmpty());
}

TEST(Races, OfTwoBlocksOneReadsWhatTheOtherStores) {
  // Block 0 stores out[1], block 1 loads it.
  EXPECT_THAT(found_in({.body = "setp.eq.u32 %p1, %r1, 0;\n@%p1 st.global.u32 [%d1+4], %r1;\n"
                                "@!%p1 ld.global.u32 %r3, [%d1+4];",
                        .threads = 1,
                        .blocks = 2}),
              ElementsAre("race-global 3: out[1]"));
}

// Each thread stores its word of out and loads that of the next one; `of_thread` is four times its word.
std::string next_word(const std::string& of_thread) {
  return of_thread + "\nadd.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r0;\nld.global.u32 %r6, [%d3+4];\n";
}

TEST(Races, ABarrierIsACureWithinABlockAlone) {
  const std::string own = "mad.lo.u32 %r5, %r1, 16, %r0;\nmul.wide.u32 %d2, %r5, 4;",
                    apart = "mad.lo.u32 %r5, %r1, 32, %r0;\nmul.wide.u32 %d2, %r5, 4;";
  EXPECT_THAT(fixes_of_races_in({.body = next_word(apart), .threads = 16, .blocks = 2}),
              ElementsAre("put __syncwarp() between them"));
  EXPECT_THAT(fixes_of_races_in({.body = next_word(own), .threads = 16, .blocks = 2}),
              ElementsAre("read it in a second kernel, launched behind this one: __syncthreads() orders the "
                          "threads of one block"));
}

TEST(Races, WarpsNeedABarrierOfTheBlock) {
  EXPECT_THAT(fixes_of_races_in({.body = next_word("mul.wide.u32 %d2, %r0, 4;"), .threads = 40}),
              ElementsAre("put __syncthreads() between them"));
}

// Each turn stores a word of tile and one of next, and behind a barrier loads `tile_of` and `next_of`: four times as far away as threads are.
std::string two_exchanges_a_turn(int tile_of, int next_of) {
  return fmt::format(
      "mov.u32 %r3, tile;\nadd.u32 %r4, %r3, %r2;\nmov.u32 %r8, next;\nadd.u32 %r9, %r8, %r2;\n"
      "xor.b32 %r5, %r2, {};\nadd.u32 %r5, %r3, %r5;\nxor.b32 %r10, %r2, {};\nadd.u32 %r10, %r8, %r10;\n"
      "mov.u32 %r11, 0;\n"
      "again: st.shared.u32 [%r9], %r11;\nst.shared.u32 [%r4], %r11;\nbar.sync 0;\n"
      "ld.shared.u32 %r6, [%r10];\nld.shared.u32 %r7, [%r5];\n"
      "add.u32 %r11, %r11, 1;\nsetp.lt.u32 %p1, %r11, 2;\n@%p1 bra again;",
      tile_of, next_of);
}

TEST(Races, OneBarrierOfTheBlockMendsAllThatTurnsOfALoopDo) {
  const std::string_view both =
      "put __syncthreads() behind line 14, before the next turn of the loop comes to line 10";
  EXPECT_THAT(fixes_of_races_in({two_exchanges_a_turn(4, 128)}), ElementsAre(both, both));
  EXPECT_THAT(fixes_of_races_in({two_exchanges_a_turn(4, 4)}),
              ::testing::UnorderedElementsAre(
                  "put __syncwarp() behind line 13, before the next turn of the loop comes to line 10",
                  "put __syncwarp() behind line 14, before the next turn of the loop comes to line 11"));
}

TEST(Races, BlocksThatShareTheirScratchAreMendedFirst) {
  EXPECT_THAT(
      fixes_of_races_in({.body = next_word("mul.wide.u32 %d2, %r0, 4;\nadd.u32 %r0, %r0, %r1;"),
                         .threads = 40,
                         .blocks = 2}),
      ElementsAre("mend line 4 first, where blocks meet in out: this may come of it",
                  "let each block write its own elements, or order them: __threadfence(), then an atomic"));
}

TEST(Races, WhatOtherBlocksReadFirstGoesToASecondArray) {
  // Block 1 loads out[1] before block 0 stores it, as far as anybody knows.
  EXPECT_THAT(
      fixes_of_races_in({.body = "ld.global.u32 %r3, [%d1+4];\nsetp.eq.u32 %p1, %r1, 1;\nmov.u32 %r4, 7;\n"
                                 "@%p1 st.global.u32 [%d1+4], %r4;",
                         .threads = 1,
                         .blocks = 2}),
      ElementsAre("write to a second array: other blocks may still read this one"));
}

TEST(Races, TheWorstThatTwoLinesDoIsTold) {
  // Blocks 0 and 1 store the same, block 2 something else.
  EXPECT_THAT(
      found_in({.body = "shr.u32 %r3, %r1, 1;\nst.global.u32 [%d1], %r3;", .threads = 1, .blocks = 3}),
      ElementsAre("race-global 2: out[0]"));
}

TEST(Races, WhatASwapLeavesAsItWasMayBeAskedFor) {
  const auto races = [](const std::string& body) {
    return found_in({.body = "atom.global.cas.b32 %r4, [%d1+4], 1, 2;\n" + body, .threads = 1, .blocks = 2});
  };
  const std::string ask = "ld.global.u32 %r3, [%d1+4];\nsetp.eq.u32 %p1, %r3, ", then = ";\n@%p1 ret;";
  EXPECT_THAT(races(ask + "7" + then),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("race-global"))));
  EXPECT_THAT(races(ask + "2" + then), ::testing::Contains(::testing::HasSubstr("race-global")));
}

TEST(Races, ASwapTriesOnlyTheWordThatItChanges) {
  const auto races = [](const std::string& place) {
    return found_in({.body = "mul.wide.u32 %d2, %r1, 4;\nadd.u64 %d3, %d1, %d2;\nld.global.u32 %r3, [" +
                             place + "];\nadd.u32 %r5, %r3, 1;\natom.global.cas.b32 %r4, [%d3], %r3, %r5;",
                     .threads = 1,
                     .blocks = 2});
  };
  EXPECT_THAT(races("%d3"), ::testing::Not(::testing::Contains(::testing::HasSubstr("race-global"))));
  // Block 1 looks at the word that block 0 changes.
  EXPECT_THAT(races("%d1"), ::testing::Contains(::testing::HasSubstr("race-global")));
}

// Blocks of a few instructions, which look at no limit themselves.
TEST(Races, ManyShortBlocksAreWatchedUpToALimit) {
  CheckedKernel kernel{.body = "mul.wide.u32 %d2, %r0, 4;\nadd.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r0;",
                       .threads = 32,
                       .blocks = 64};
  const auto all = check(kernel);
  ASSERT_TRUE(all);
  EXPECT_FALSE(all->gave_up);
  EXPECT_EQ(all->watched, 64u);
  kernel.most_steps = 100;
  const auto some = check(kernel);
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->gave_up);
  EXPECT_GT(some->watched, 0u);
  EXPECT_LT(some->watched, 64u);
  EXPECT_LT(some->run, 64u);
}

}  // namespace
}  // namespace warplens::check
