// What the steps of kernels/reduction and kernels/transpose claim of their counts, worked out by hand from
// the rules of the hardware (engine/analysis/testdata).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/run/testing/counted_support.hpp"

namespace warplens::run {
namespace {

class StepCounts : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
};

// The wavefronts of an access of the first `threads` threads of a block to words `stride` apart: for each
// warp, the most lanes in one bank.
std::uint64_t wavefronts(std::int64_t threads, std::int64_t stride) {
  std::uint64_t total = 0;
  for (std::int64_t warp = 0; warp < threads; warp += 32) {
    std::array<std::uint64_t, 32> lanes{};
    for (std::int64_t thread = warp; thread < std::min(threads, warp + 32); ++thread)
      ++lanes[static_cast<std::size_t>(thread * stride % 32)];
    total += *std::max_element(lanes.begin(), lanes.end());
  }
  return total;
}

TEST_F(StepCounts, OfAStridedIndexCollideMoreEachRound) {
  for (const std::int64_t block : {64, 256, 1024}) {
    std::uint64_t pairs = 0;
    for (std::int64_t distance = 1; distance < block; distance *= 2)
      pairs += wavefronts(block / 2 / distance, 2 * distance);
    constexpr std::int64_t blocks = 5;
    const auto counts = counted("reduction/02_strided", {{"BLOCK", block}}, {{"N", blocks * block}});
    // Both elements of a pair are read, one is written; before that every thread writes one, in the end one
    // thread reads the sum.
    EXPECT_EQ(counts.shared_load.wavefronts, blocks * (2 * pairs + 1)) << block;
    EXPECT_EQ(counts.shared_store.wavefronts, blocks * (pairs + static_cast<std::uint64_t>(block) / 32))
        << block;
  }
  EXPECT_EQ(wavefronts(32, 32), 32u);
}

TEST_F(StepCounts, OfSequentialTreesAreFreeOfConflicts) {
  constexpr std::int64_t n = 1 << 14, block = 256;
  const struct {
    const char* kernel;
    std::int64_t per_thread, last;  // elements a thread loads; sums that the tree leaves
  } steps[] = {
      {"reduction/03_sequential", 1, 1}, {"reduction/04_first_add", 2, 1}, {"reduction/05_last_warp", 2, 32}};
  for (const auto& step : steps) {
    std::uint64_t pairs = 0;
    for (std::int64_t distance = block / 2; distance >= step.last; distance /= 2)
      pairs += wavefronts(distance, 1);
    const auto blocks = static_cast<std::uint64_t>(n / block / step.per_thread);
    const auto counts = counted(step.kernel, {{"BLOCK", block}}, {{"N", n}});
    EXPECT_EQ(counts.global_load.requests, n / 32) << step.kernel;
    EXPECT_EQ(counts.global_load.sectors, n / 8) << step.kernel;
    EXPECT_EQ(counts.shared_load.wavefronts, blocks * (2 * pairs + 1)) << step.kernel;
    EXPECT_EQ(counts.shared_store.wavefronts, blocks * (pairs + block / 32)) << step.kernel;
    EXPECT_EQ(counts.global_atomic.requests, blocks) << step.kernel;
  }
}

TEST_F(StepCounts, OfAGridStrideDoNotGrowWithTheInput) {
  for (const char* kernel : {"reduction/07_grid_stride", "reduction/08_float4"}) {
    const std::uint64_t fours = std::string(kernel) == "reduction/08_float4" ? 4 : 1;
    for (const std::int64_t n : {1 << 14, 1 << 18}) {
      const auto counts = counted(kernel, {{"BLOCKS", 33}}, {{"N", n}});
      EXPECT_EQ(counts.global_load.requests, static_cast<std::uint64_t>(n) / 32 / fours) << kernel;
      EXPECT_EQ(counts.global_load.sectors, static_cast<std::uint64_t>(n) / 8) << kernel;
      EXPECT_EQ(counts.shared_store.wavefronts, 33u * 256 / 32) << kernel;
      EXPECT_EQ(counts.global_atomic.requests, 33u) << kernel;
    }
  }
}

TEST_F(StepCounts, OfTheTransposesAreLeastAndFreeOfConflicts) {
  constexpr std::uint64_t n = 256, elements = n * n;
  const struct {
    const char* kernel;
    std::uint64_t width;
  } steps[] = {{"transpose/03_swizzled", 1}, {"transpose/04_vectorized", 4}, {"transpose/05_diagonal", 1}};
  for (const auto& step : steps) {
    const auto counts = counted(step.kernel, {}, {{"M", n}, {"N", n}});
    EXPECT_EQ(counts.global_load.requests, elements / 32 / step.width) << step.kernel;
    EXPECT_EQ(counts.global_store.requests, elements / 32 / step.width) << step.kernel;
    EXPECT_EQ(counts.global_load.sectors, elements / 8) << step.kernel;
    EXPECT_EQ(counts.global_store.sectors, elements / 8) << step.kernel;
    EXPECT_EQ(counts.shared_load.wavefronts, elements / 32) << step.kernel;
    EXPECT_EQ(counts.shared_store.wavefronts, elements / 32) << step.kernel;
  }
}

}  // namespace
}  // namespace warplens::run
