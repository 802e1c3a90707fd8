#include "engine/source/shared.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::source {
namespace {

using testing::ElementsAre;

TEST(SharedDeclarations, HaveTypesNamesAndExtents) {
  const auto declarations = shared_declarations(
      "void f() { __shared__ __align__(16) unsigned int A [8][N + 1], last;\n"
      "  extern __shared__ float4 all[];\n  static __shared__ T part[f(1, 2)]; }");
  ASSERT_EQ(declarations.size(), 3u);
  EXPECT_EQ(declarations[0].at, 11u);
  EXPECT_EQ(declarations[0].type, "unsigned int");
  EXPECT_EQ(declarations[0].alignment, 16);
  ASSERT_EQ(declarations[0].arrays.size(), 2u);
  EXPECT_EQ(declarations[0].arrays[0].name, "A");
  EXPECT_THAT(declarations[0].arrays[0].extents, ElementsAre("8", "N + 1"));
  EXPECT_EQ(declarations[0].arrays[1].name, "last");
  EXPECT_TRUE(declarations[0].arrays[1].extents.empty());
  EXPECT_TRUE(declarations[1].is_extern);
  EXPECT_EQ(declarations[1].type, "float4");
  EXPECT_THAT(declarations[1].arrays[0].extents, ElementsAre(""));
  EXPECT_FALSE(declarations[2].is_extern);
  EXPECT_THAT(declarations[2].arrays[0].extents, ElementsAre("f(1, 2)"));
}

TEST(SharedDeclarations, SayWhereTheAlignmentIsNoNumber) {
  EXPECT_EQ(shared_declarations("__shared__ alignas(sizeof(T)) char a[4];")[0].alignment, std::nullopt);
  EXPECT_EQ(shared_declarations("alignas(32) __shared__ char a[4];")[0].alignment, 32);
  const auto behind = shared_declarations("__shared__ int __align__(8) a[4];");
  EXPECT_EQ(behind[0].alignment, 8);
  EXPECT_EQ(behind[0].type, "int");
  EXPECT_EQ(behind[0].arrays[0].name, "a");
  EXPECT_EQ(shared_declarations("__shared__ char a[4];")[0].alignment, 0);
  EXPECT_TRUE(shared_declarations("int __shared__x; __shared__ open").empty());
}

}  // namespace
}  // namespace warplens::source
