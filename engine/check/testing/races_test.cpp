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

}  // namespace
}  // namespace warplens::check
