#include "engine/run/derived/block_order.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

SharedRun recorded(const catalog::KernelSpec& spec, const catalog::Values& sizes) {
  const auto job = job_of(spec, {}, sizes);
  const auto execution = job ? execute(*job, {.record = 0}) : Result<Execution>(job.error());
  return execution ? *tabulate(*job, *execution) : nullptr;
}
std::shared_ptr<const BlockOrder> order_of(const catalog::KernelSpec& spec, std::int64_t rows,
                                           std::int64_t columns) {
  return block_order(*recorded(spec, {{"M", rows}, {"N", columns}}));
}

class BlockOrderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
};

TEST_F(BlockOrderTest, FollowsTheAddressesOfEachBlock) {
  const auto order = order_of(*kernels().find("transpose/05_diagonal"), 512, 384);
  ASSERT_NE(order, nullptr);
  ASSERT_EQ(order->matrices.size(), 2u);
  const TilesOfBlocks &in = order->matrices[0], &out = order->matrices[1];
  EXPECT_EQ(in.rows, 16);
  EXPECT_EQ(in.columns, 12);
  EXPECT_EQ(out.rows, 12);
  for (std::size_t b = 0; b < in.of_block.size(); ++b) {
    EXPECT_EQ(in.of_block[b].row, out.of_block[b].column) << b;
    EXPECT_EQ(in.of_block[b].column, out.of_block[b].row) << b;
  }
  EXPECT_EQ(in.of_block[5].row, 5);
  EXPECT_EQ(in.of_block[5].column, 5);
  EXPECT_EQ(order->apart, 12u) << "the thirteenth is in the first column again";
}

TEST_F(BlockOrderTest, SaysNothingOfBlocksThatGoRowByRow) {
  EXPECT_EQ(order_of(*kernels().find("transpose/02_tiled"), 512, 512), nullptr);
  catalog::KernelSpec changed = *kernels().find("transpose/05_diagonal");
  const std::string diagonal = "(block / gridDim.y + tile_row) % gridDim.x";
  ASSERT_NE(changed.code.find(diagonal), std::string::npos);
  changed.code.replace(changed.code.find(diagonal), diagonal.size(), "block / gridDim.y");
  EXPECT_EQ(order_of(changed, 512, 512), nullptr) << "column by column";
}

}  // namespace
}  // namespace warplens::run
