#include "engine/program/source_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::program {
namespace {

using testing::ElementsAre, testing::IsEmpty;

constexpr const char* kProgram = R"(#include <cstdio>
#define TILE 16
#define AREA (TILE * TILE)
#define UNUSED 3
#define SQUARE(x) ((x) * (x))
#ifdef LARGE
#define N 4096
#else
#define N (1024)
#endif
constexpr int kDepth = 0x20, kEdge = kDepth;
static const unsigned BLOCK = 128u;
const float kScale = 2;
int counter = 5;
__device__ int deep(int i) { return i % kEdge; }  // BLOCK 7
template <typename T, int WIDTH, bool Fast = true>
__global__ void sum(T* a) {
  __shared__ T tile[AREA];
  tile[threadIdx.x] = deep(a[SQUARE(threadIdx.x)]);
}
__global__ void other(float* a) { a[UNUSED] = kScale; }
int main() {
  float* a;
  dim3 block(BLOCK, 2);
  sum<float, 32><<<N, block>>>(a);
  sum<float, 64, false>
      <<<1, block>>>(a);
  other<<<1, 1>>>(a);
}
)";

std::vector<std::string> keys_of(std::string_view kernel, int line) {
  std::vector<std::string> keys;
  for (const SourceValue& value : values_of_kernel(kProgram, kernel, line)) keys.push_back(value.key);
  return keys;
}

TEST(SourceValues, AreThoseThatAKernelAndItsLaunchUse) {
  EXPECT_THAT(keys_of("sum", 25), ElementsAre("TILE", "kDepth", "BLOCK", "WIDTH@25"));
  EXPECT_THAT(keys_of("sum", 27), ElementsAre("TILE", "kDepth", "BLOCK", "WIDTH@26"));
  EXPECT_THAT(keys_of("sum", 0), ElementsAre("TILE", "kDepth", "BLOCK", "WIDTH@25", "WIDTH@26"));
  EXPECT_THAT(keys_of("other", 0), ElementsAre("UNUSED", "BLOCK"));
}

TEST(SourceValues, HaveTheirNumbersAndPlaces) {
  const auto values = values_of_kernel(kProgram, "sum", 25);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0].value, 16);
  EXPECT_EQ(values[0].line, 2);
  EXPECT_EQ(values[1].value, 32);
  EXPECT_EQ(values[2].value, 128);
  EXPECT_EQ(values[3].value, 32);
  EXPECT_EQ(values[3].kind, SourceValue::Kind::template_argument);
  EXPECT_EQ(std::string_view(kProgram).substr(values[2].begin, values[2].end - values[2].begin), "128u");
}

TEST(SourceValues, OthersArePutInTheirPlaces) {
  std::string expected = kProgram;
  expected.replace(expected.find("TILE 16"), 7, "TILE 8");
  expected.replace(expected.find("128u"), 4, "256");
  expected.replace(expected.find("64, false"), 9, "16, false");
  EXPECT_EQ(with_values(kProgram, {{"TILE", 8}, {"BLOCK", 256}, {"WIDTH@26", 16}, {"N", 1}, {"nobody", 4}}),
            expected);
  EXPECT_EQ(with_values(kProgram, {}), kProgram);
}

TEST(SourceValues, WhatIsNoProgramHasNone) {
  for (const char* text :
       {"", "#define", "#define T", "k<", "const int", "template <", "__global__ void k(", "const int a ="})
    EXPECT_THAT(values_of_kernel(text, "k", 0), IsEmpty()) << text;
}

TEST(SourceValues, ArePowersOfTwoAndWhatIsBeside) {
  EXPECT_THAT(values_near(16), ElementsAre(2, 4, 8, 15, 16, 17, 32, 64, 128));
  EXPECT_THAT(values_near(1), ElementsAre(0, 1, 2, 4, 8));
  EXPECT_THAT(values_near(0), ElementsAre(0, 1, 2, 4, 8));
  EXPECT_THAT(values_near(100), ElementsAre(16, 32, 64, 99, 100, 101, 128, 256, 512));
  EXPECT_THAT(values_near(-3), ElementsAre(-4, -3, -2));
}

}  // namespace
}  // namespace warplens::program
