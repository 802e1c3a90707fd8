// Trees of the reductions of the repository, and kernels that are none.
#include "engine/report/reduction_tree.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::report {
namespace {

run::SharedRun record(std::string_view id, const catalog::Values& sizes, const catalog::Values& chosen = {}) {
  const auto job = run::job_of(*run::kernels().find(id), chosen, sizes);
  if (!job) return nullptr;
  const auto execution = run::execute(*job, {.record = 0});
  return execution ? *run::tabulate(*job, *execution) : nullptr;
}

class Trees : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

// 256 threads: 8 rounds. Interleaved, half of the lanes of every warp work in the first one, then a quarter.
TEST_F(Trees, InterleavedKeepsAllWarpsBusy) {
  const auto run = record("reduction/01_interleaved", {{"N", 4096}}, {{"BLOCK", 256}});
  ASSERT_NE(run, nullptr);
  ASSERT_NE(run->trees[0], nullptr);
  const auto& rounds = run->trees[0]->rounds;
  ASSERT_EQ(rounds.size(), 8u);
  EXPECT_EQ(rounds[0].lanes[0], 0x55555555u);
  EXPECT_EQ(rounds[1].lanes[3], 0x11111111u);
  EXPECT_EQ(rounds[4].working_lanes(), 8u);
  EXPECT_EQ(rounds[4].working_warps(), 8u);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    EXPECT_EQ(rounds[r].distance(), std::int64_t{1} << r);
    EXPECT_EQ(rounds[r].useful_lanes(), rounds[r].working_lanes());
    EXPECT_EQ(rounds[r].turn, r);
    EXPECT_TRUE(rounds[r].adds);
  }
  EXPECT_EQ(run->trees[0]->results, std::vector<std::uint32_t>{0});
}

TEST_F(Trees, SequentialLeavesWholeWarps) {
  const auto run = record("reduction/03_sequential", {{"N", 4096}}, {{"BLOCK", 256}});
  ASSERT_NE(run, nullptr);
  ASSERT_NE(run->trees[0], nullptr);
  const auto& rounds = run->trees[0]->rounds;
  ASSERT_EQ(rounds.size(), 8u);
  EXPECT_EQ(rounds[0].working_warps(), 4u);
  EXPECT_EQ(rounds[2].lanes[0], ~0u);
  EXPECT_EQ(rounds[2].working_warps(), 1u);
  EXPECT_EQ(rounds[7].lanes[0], 1u);
}

// All 32 lanes of a shuffle add, half of them what the sum needs; then a value a warp is handed on.
TEST_F(Trees, ShufflesAddMoreThanCounts) {
  const auto run = record("reduction/06_shuffle", {{"N", 4096}}, {{"BLOCK", 256}});
  ASSERT_NE(run, nullptr);
  ASSERT_NE(run->trees[0], nullptr);
  const auto& rounds = run->trees[0]->rounds;
  ASSERT_EQ(rounds.size(), 11u);
  std::uint32_t useful = 16;
  for (std::size_t r = 0; r < 5; ++r, useful /= 2) {
    EXPECT_TRUE(rounds[r].is_shuffle);
    EXPECT_EQ(rounds[r].lanes[0], ~0u);
    EXPECT_EQ(rounds[r].useful_lanes(), 8 * useful) << r;  // of eight warps
  }
  EXPECT_FALSE(rounds[5].adds);
  EXPECT_EQ(rounds[5].lanes[0], 0xffu);
  EXPECT_EQ(rounds[5].useful_lanes(), 7u);  // the first one reads its own
  EXPECT_EQ(rounds[6].working_warps(), 1u);
  EXPECT_EQ(rounds[10].useful_lanes(), 1u);
}

TEST_F(Trees, AllReductionsHaveOneAndNothingElse) {
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    const bool reduces = spec.id.starts_with("reduction/");
    if (!reduces && !spec.id.starts_with("memory/") && !spec.id.starts_with("transpose/")) continue;
    const auto job = run::job_of(spec, {}, {});
    ASSERT_TRUE(job) << spec.id;
    const auto execution = run::execute(*job, {.record = 0, .recorded_blocks_only = true});
    ASSERT_TRUE(execution) << spec.id;
    EXPECT_EQ((*run::tabulate(*job, *execution))->trees[0] != nullptr, reduces) << spec.id;
  }
}

// The calls of one function that adds are rounds of their own.
TEST_F(Trees, CallsOfOneLineAreRounds) {
  for (const char* kernel : {"harris/05_last_warp", "harris/06_unrolled", "harris/07_many_additions"}) {
    const auto run = record(kernel, {{"N", 1 << 16}});
    ASSERT_NE(run, nullptr);
    ASSERT_NE(run->trees[0], nullptr) << kernel;
    const auto& rounds = run->trees[0]->rounds;
    ASSERT_GE(rounds.size(), 6u) << kernel;
    std::uint32_t useful = 32;
    for (std::size_t r = rounds.size() - 6; r < rounds.size(); ++r, useful /= 2) {
      EXPECT_EQ(rounds[r].useful_lanes(), useful) << kernel << " " << r;
      EXPECT_EQ(rounds[r].distance(), useful) << kernel << " " << r;
    }
  }
}

// Where all lanes do the same, no block is watched.
TEST_F(Trees, LanesAreWatchedWhereTheyDiffer) {
  EXPECT_EQ(record("memory/01_coalesced", {{"N", 4096}})->lanes, nullptr);
  const auto run = record("memory/01_coalesced", {{"N", 4090}});
  ASSERT_NE(run->lanes, nullptr) << "the last block has a tail";
  ASSERT_EQ(run->lanes->blocks.size(), 1u);
  EXPECT_NE(run->lanes->of(0), nullptr);
  EXPECT_EQ(run->lanes->of(1), nullptr);
}

}  // namespace
}  // namespace warplens::report
