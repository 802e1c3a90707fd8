// Values that nobody defined, told where they reach something: a result, an address, a branch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/check/testing/checked_bench.hpp"

namespace warplens::check {
namespace {

using ::testing::ElementsAre, ::testing::IsEmpty;

// out[thread] = %r5
const std::string kStore = "mul.wide.u32 %d4, %r0, 4;\nadd.u64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r5;\n";

TEST(Uninitialised, ARegister) {
  EXPECT_THAT(found_in({kStore}), ElementsAre("uninitialized-register 3"));
  EXPECT_THAT(found_in({"mov.u32 %r5, 1;\n" + kStore}), IsEmpty());
}

TEST(Uninitialised, ARegisterThatOnlyOneWaySets) {
  EXPECT_THAT(found_in({"setp.lt.u32 %p1, %r0, 16;\n@%p1 mov.u32 %r5, 1;\n" + kStore}),
              ElementsAre("uninitialized-register 5"));
}

TEST(Uninitialised, SharedMemory) {
  const std::string load = "mov.u32 %r3, tile;\nadd.u32 %r4, %r3, %r2;\nld.shared.u32 %r5, [%r4];\n";
  EXPECT_THAT(found_in({load + kStore}), ElementsAre("uninitialized-shared 3: tile[0]"));
  EXPECT_THAT(
      found_in({"mov.u32 %r6, tile;\nadd.u32 %r6, %r6, %r2;\nst.shared.u32 [%r6], %r0;\n" + load + kStore}),
      IsEmpty());
}

TEST(Uninitialised, AnOutputThatIsReadBeforeItIsWritten) {
  EXPECT_THAT(found_in({.body = "ld.global.u32 %r5, [%d1];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%d1], %r5;",
                        .threads = 1}),
              ElementsAre("uninitialized-global 1: out[0]"));
  EXPECT_THAT(found_in({.body = "ld.global.u32 %r5, [%d0];\n" + kStore}), IsEmpty());
}

TEST(Uninitialised, IsNothingWhileNobodyLooksAtIt) {
  EXPECT_THAT(found_in({"add.u32 %r6, %r5, 1;"}), IsEmpty());
}

}  // namespace
}  // namespace warplens::check
