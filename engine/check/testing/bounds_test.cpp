// Accesses beside the array that their address was made from, at places that their width forbids, and to what is only read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/check/testing/checked_bench.hpp"

namespace warplens::check {
namespace {

using ::testing::ElementsAre, ::testing::IsEmpty;

TEST(Bounds, TheLastElementIsInside) {
  EXPECT_THAT(found_in({.body = "mov.u32 %r3, 1;\nst.global.u32 [%d1+252], %r3;", .threads = 1}), IsEmpty());
  EXPECT_THAT(found_in({.body = "mov.u32 %r3, 1;\nst.global.u32 [%d1+256], %r3;", .threads = 1}),
              ElementsAre("out-of-bounds 2: out[64]"));
}

TEST(Bounds, BeforeTheFirstElement) {
  EXPECT_THAT(found_in({.body = "ld.global.u32 %r3, [%d0+-4];", .threads = 1}),
              ElementsAre("out-of-bounds 1: in[-1]"));
}

TEST(Bounds, AnotherArrayOfSharedMemoryIsNotItsOwn) {
  const std::string at = "mov.u32 %r3, tile;\nmov.u32 %r4, 5;\nst.shared.u32 [%r3+{}], %r4;";
  EXPECT_THAT(found_in({.body = fmt::format(fmt::runtime(at), 252), .threads = 1}), IsEmpty());
  EXPECT_THAT(found_in({.body = fmt::format(fmt::runtime(at), 256), .threads = 1}),
              ElementsAre("out-of-array 3: tile[64]"));
}

TEST(Bounds, APlaceThatIsNoMultipleOfTheWidth) {
  EXPECT_THAT(found_in({.body = "ld.global.u32 %r3, [%d0+2];", .threads = 1}),
              ElementsAre("misaligned 1: in"));
}

TEST(Bounds, WhatIsOnlyReadIsNotWritten) {
  EXPECT_THAT(found_in({.body = "mov.u32 %r3, 1;\nst.global.u32 [%d0], %r3;", .threads = 1}),
              ElementsAre("write-to-input 2: in[0]"));
}

}  // namespace
}  // namespace warplens::check
