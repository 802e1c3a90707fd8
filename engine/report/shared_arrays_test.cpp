// Shapes of shared arrays as their declarations say.
#include "engine/report/shared_arrays.hpp"

#include <gtest/gtest.h>

namespace warplens::report {
namespace {

TEST(DeclaredExtents, AreReadFromTheSource) {
  const std::string source =
      "constexpr int WIDTH = BM + PAD;  // floats\n"
      "// __shared__ float A[1][1];\n"
      "__shared__ __align__(16) float A[2][BK][WIDTH];\n"
      "__shared__ float B[BK], other[3][4];\nextern __shared__ float dynamic[];\n"
      "__shared__ float odd[sizeof(int)][4];";
  const catalog::Values values{{"BM", 128}, {"BK", 8}, {"PAD", 4}};
  EXPECT_EQ(declared_extents(source, "A", values), (std::vector<std::int64_t>{2, 8, 132}));
  EXPECT_EQ(declared_extents(source, "B", values), (std::vector<std::int64_t>{8}));
  EXPECT_EQ(declared_extents(source, "other", values), (std::vector<std::int64_t>{3, 4}));
  EXPECT_TRUE(declared_extents(source, "dynamic", values).empty());
  EXPECT_TRUE(declared_extents(source, "odd", values).empty());
  EXPECT_TRUE(declared_extents(source, "missing", values).empty());
  EXPECT_EQ(declared_extents("#define COPIES (BINS / 32)\n#define BINS 256 // of a warp\n"
                             "__shared__ int h[COPIES][BINS];",
                             "h", {}),
            (std::vector<std::int64_t>{8, 256}));
}

TEST(SharedAliases, AreReadFromTheSource) {
  const std::string source =
      "constexpr int LANES = 8, WIDTH = BK + 4;  // floats\n"
      "auto other = reinterpret_cast<float(*)[7]>(elsewhere);\n"
      "void f() {\n"
      "  extern __shared__ __align__(16) float shared[];\n"
      "  auto B = reinterpret_cast<float(*)[BK][LANES]>(shared + STAGES * BM * WIDTH);\n"
      "  auto A = reinterpret_cast<float(*)[BM][WIDTH]>(shared);  // [STAGES][BM][WIDTH]\n"
      "  float* rest = shared + 100000;\n"
      "  float sum = shared[3] + shared[threadIdx.x];\n"
      "  auto odd = reinterpret_cast<float(*)[sizeof(int)]>(shared + 5);\n}";
  const catalog::Values values{{"BM", 128}, {"BK", 16}, {"STAGES", 3}};
  const std::vector<SharedAlias> expected = {
      {"A", 0, {128, 20}}, {"B", 3 * 128 * 20, {16, 8}}, {"rest", 100000, {}}};
  EXPECT_EQ(shared_aliases(source, "shared", values), expected);
  EXPECT_TRUE(shared_aliases(source, "elsewhere", values).empty());
  EXPECT_TRUE(shared_aliases("float* p = q;", "q", {}).empty());
}

}  // namespace
}  // namespace warplens::report
