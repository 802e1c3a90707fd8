// The counts of the min-plus ladder, against the rules of the hardware applied by hand to the pattern: which
// elements a warp touches is worked out here, not taken from the kernel.
// Rules: engine/analysis/testdata, measured on an H100 (distinct 32-byte sectors of a warp; the most distinct
// words of a bank).
#include <gtest/gtest.h>

#include "engine/run/testing/counted_support.hpp"

namespace warplens::run {
namespace {

// The ladder of the course: what a warp of 16 x 2 threads reads in each of the N steps.
TEST(MinPlusCounts, OfV0AreAColumnAndABroadcast) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  constexpr std::uint64_t n = 128, warps = n * n / 32;
  const struct {
    const char* kernel;
    std::uint64_t first, second, store;  // sectors of each load and of the store
  } steps[] = {
      {"minplus/01_v0", 16, 1, 16},             // 16 rows of d; two neighbours; 16 rows of r
      {"minplus/02_v0_transposed", 16, 2, 16},  // 16 rows of d; two rows of t
      {"minplus/03_v1", 2, 2, 4},               // two rows of d; 16 neighbours; two runs of 16
  };
  for (const auto& step : steps) {
    const auto counts = counted(step.kernel, {}, {{"N", n}});
    EXPECT_EQ(counts.global_load.requests, 2 * n * warps) << step.kernel;
    EXPECT_EQ(counts.global_load.sectors, (step.first + step.second) * n * warps) << step.kernel;
    EXPECT_EQ(counts.global_store.requests, warps) << step.kernel;
    EXPECT_EQ(counts.global_store.sectors, step.store * warps) << step.kernel;
  }
}

// A warp of 8 x 4 threads reads one sector of d and four elements, one sector, of t at a time.
TEST(MinPlusCounts, OfV2AndV3AreThoseOfTheTile) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  constexpr std::uint64_t n = 128, warps = n * n / 64 / 32, blocks = n * n / 64 / 64;
  const auto v2 = counted("minplus/04_v2", {}, {{"N", n}});
  EXPECT_EQ(v2.global_load.requests, 16 * n * warps);
  EXPECT_EQ(v2.global_load.sectors, 16 * n * warps);
  EXPECT_EQ(v2.global_store.requests, 64 * warps);
  EXPECT_EQ(v2.global_store.sectors, 64 * 4 * warps);
  // Each block brings 64 + 64 elements for each k, and every thread reads 8 + 8 of them.
  const auto v3 = counted("minplus/05_v3", {}, {{"N", n}});
  EXPECT_EQ(v3.global_load.requests, (64 + 64) / 32 * n * blocks);
  EXPECT_EQ(v3.global_load.sectors, (64 + 64) / 8 * n * blocks);
  EXPECT_EQ(v3.shared_load.wavefronts, 16 * n * warps);
  EXPECT_EQ(v3.shared_store.wavefronts, (64 + 64) / 32 * n * blocks);
}

}  // namespace
}  // namespace warplens::run
