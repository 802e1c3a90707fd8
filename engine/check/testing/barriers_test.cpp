// Barriers that not all threads reach, masks that are not of who calls, and loops without an end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/check/testing/checked_bench.hpp"

namespace warplens::check {
namespace {

using ::testing::ElementsAre, ::testing::IsEmpty;

TEST(Barriers, WaitForThoseThatHaveNotEnded) {
  EXPECT_THAT(found_in({"bar.sync 0;"}), IsEmpty());
  EXPECT_THAT(found_in({"setp.lt.u32 %p1, %r0, 16;\n@%p1 bra END;\nbar.sync 0;\nEND: mov.u32 %r3, 0;"}),
              ElementsAre("information: divergent-barrier 3"));
}

TEST(Barriers, OfOtherNumbersWaitForOtherThreads) {
  EXPECT_THAT(found_in({"bar.sync 1, 64;"}), IsEmpty());
  // One warp waits for 64 threads at barrier 1, the other one at barrier 2.
  EXPECT_THAT(
      found_in(
          {"setp.lt.u32 %p1, %r0, 32;\n@%p1 bra ONE;\nbar.sync 2, 64;\nbra END;\nONE: bar.sync 1, 64;\nEND: "
           "mov.u32 %r3, 0;"}),
      ElementsAre("divergent-barrier 5"));
}

TEST(Masks, NameWhoCalls) {
  EXPECT_THAT(found_in({.body = "bar.warp.sync 0xffffffff;", .threads = 32}), IsEmpty());
  EXPECT_THAT(
      found_in(
          {.body = "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra END;\nbar.warp.sync 0xfff0;\nEND: mov.u32 %r3, 0;",
           .threads = 32}),
      ElementsAre("mask-without-caller 3"));
}

TEST(Masks, AShuffleTakesValuesOfLanesThatTakePart) {
  const std::string take = "shfl.sync.down.b32 %r3, %r0, 8, 31, 0xffff;";
  EXPECT_THAT(found_in({.body = "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra END;\n" + take +
                                "\nmul.wide.u32 %d4, %r0, 4;\nadd.u64 %d5, %d1, %d4;\nst.global.u32 [%d5], "
                                "%r3;\nEND: mov.u32 %r5, 0;",
                        .threads = 32}),
              ElementsAre("inactive-source-lane 3: lane 16"));
}

TEST(Loops, WithoutAConditionThatChanges) {
  EXPECT_THAT(found_in({.body = "LOOP: mov.u32 %r3, 0;\nbra LOOP;", .threads = 32}),
              ElementsAre("endless-loop 1"));
  EXPECT_THAT(
      found_in(
          {.body = "mov.u32 %r3, 0;\nLOOP: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 9;\n@%p1 bra LOOP;",
           .threads = 32}),
      IsEmpty());
}

}  // namespace
}  // namespace warplens::check
