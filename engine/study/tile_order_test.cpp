// Waves of tiles and what L2 has of them, where both can be counted by hand.
#include "engine/study/tile_order.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::study {
namespace {

class TileOrderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
  static Result<TileOrder> order(const char* id, std::int64_t size, const catalog::Values& parameters,
                                 const device::Device& device) {
    const auto plan =
        run::plan(*run::kernels().find(id), parameters, {{"M", size}, {"N", size}, {"K", size}}, device);
    EXPECT_TRUE(plan) << to_line(plan.error());
    auto build = run::compile(run::compiler(), *plan);
    EXPECT_TRUE(build) << to_line(build.error());
    auto instance = run::Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*plan);
    EXPECT_TRUE(instance) << to_line(instance.error());
    const run::Job job{*plan, *std::move(instance), *std::move(build)};
    const auto execution = run::execute(job, {.record = 0, .counts_only = true});
    EXPECT_TRUE(execution) << to_line(execution.error());
    return tile_order_of(**run::tabulate(job, *execution));
  }
};

// 8 x 8 tiles of 64 x 64 on two SMs: each wave is a part of a row. L2 holds everything: each byte comes from memory once.
TEST_F(TileOrderTest, WavesAreAsManyBlocksAsFit) {
  device::Device device = run::h100();
  device.sm_count = 2;
  const auto found = order("tensor/09_wgmma_tma", 512, {}, device);
  ASSERT_TRUE(found) << to_line(found.error());
  const std::size_t wave = found->at_a_time;
  ASSERT_GE(wave, 2u);
  ASSERT_EQ(found->waves.size(), (64 + wave - 1) / wave);
  for (std::size_t w = 0; w < found->waves.size(); ++w)
    for (std::size_t i = 0; i < found->waves[w].size(); ++i)
      EXPECT_EQ(found->waves[w][i].block, w * wave + i);
  const Bands bands = bands_of(found->waves.front());
  EXPECT_EQ(bands.columns, std::min<std::size_t>(wave, 8));
  EXPECT_EQ(bands.rows, (wave + 7) / 8);
  // 64 tiles, each of 128 rows of 1,024 bytes.
  EXPECT_EQ(found->asked_lines, 64u * 128 * 1024 / 128);
  EXPECT_EQ(found->missed_lines, 2u * 512 * 512 * 2 / 128);
  for (const double reads : found->reads_of_b) EXPECT_DOUBLE_EQ(reads, 1);
}

// With room for what a wave asks for in one step each wave reads its own again, and what its tiles share, once.
TEST_F(TileOrderTest, ASmallL2ReadsEachWaveAgain) {
  device::Device device = run::h100();
  device.sm_count = 2, device.l2_bytes = 1 << 17;
  const auto found = order("tensor/09_wgmma_tma", 512, {}, device);
  ASSERT_TRUE(found) << to_line(found.error());
  std::uint64_t lines = 0;
  for (const auto& wave : found->waves) {
    const Bands bands = bands_of(wave);
    lines += (bands.rows + bands.columns) * 64 * 1024 / 128;
  }
  EXPECT_EQ(found->missed_lines, lines);
}

// Rows of tiles together need fewer columns of B at a time, and memory less often.
TEST_F(TileOrderTest, GroupsOfRowsAskMemoryLess) {
  device::Device device = run::h100();
  device.sm_count = 16, device.l2_bytes = 1 << 20;
  const auto by_row = order("tensor/17_tile_order", 2048, {{"GROUP", 1}, {"BLOCKS", 66}}, device),
             grouped = order("tensor/17_tile_order", 2048, {{"GROUP", 4}, {"BLOCKS", 66}}, device);
  ASSERT_TRUE(by_row && grouped);
  EXPECT_EQ(by_row->asked_lines, grouped->asked_lines);
  EXPECT_GT(bands_of(by_row->waves.front()).columns, bands_of(grouped->waves.front()).columns);
  EXPECT_GT(by_row->missed_lines, grouped->missed_lines);
}

}  // namespace
}  // namespace warplens::study
