// The tiles that blocks make, against the numbers of the blocks.
#include "engine/run/derived/product_tiles.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

class ProductTilesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
  static Result<ProductTiles> tiles(const char* id, const catalog::Values& sizes,
                                    const catalog::Values& parameters = {}) {
    const auto run = run_of(*kernels().find(id), parameters, sizes);
    EXPECT_TRUE(run) << to_line(run.error());
    return product_tiles_of(**run);
  }
  static catalog::Values cube(std::int64_t size) { return {{"M", size}, {"N", size}, {"K", size}}; }
};

// A block a tile, by plain loads, by cp.async, and by boxes: rows by blockIdx.y, columns by blockIdx.x.
TEST_F(ProductTilesTest, OfBlocksThatMakeOneEachAreWhereTheBlocksAre) {
  for (const char* id :
       {"matmul/03_shared_tile", "tensor/05_swizzle", "tensor/07_stages", "tensor/09_wgmma_tma"}) {
    const auto found = tiles(id, {{"M", 256}, {"N", 320}, {"K", 192}});
    ASSERT_TRUE(found) << id << ": " << to_line(found.error());
    const Stretch first_rows = found->of_block[0].front().rows,
                  first_columns = found->of_block[0].front().columns;
    const auto across = 320 / first_columns.count();
    ASSERT_EQ(found->of_block.size(), static_cast<std::size_t>(256 / first_rows.count() * across)) << id;
    for (std::size_t block = 0; block < found->of_block.size(); ++block) {
      ASSERT_EQ(found->of_block[block].size(), 1u) << id << " block " << block;
      const ProductTile& tile = found->of_block[block].front();
      const auto number = static_cast<std::int64_t>(block);
      EXPECT_EQ(tile.rows.first, number / across * first_rows.count()) << id << " block " << block;
      EXPECT_EQ(tile.columns.first, number % across * first_columns.count()) << id << " block " << block;
      EXPECT_EQ(tile.depth, (Stretch{0, 192})) << id;
      EXPECT_EQ(tile.own_columns, tile.columns) << id;
    }
  }
}

// Blocks that stay take one tile after the other; the last rows and columns are cut at the matrix.
TEST_F(ProductTilesTest, OfPersistentBlocksFollowEachOther) {
  const auto found =
      tiles("tensor/13_persistent", {{"M", 520}, {"N", 512}, {"K", 128}}, {{"BLOCKS", 66}, {"BN", 64}});
  ASSERT_TRUE(found) << to_line(found.error());
  std::int64_t cells = 0;
  std::size_t most = 0;
  for (const auto& tiles : found->of_block) {
    most = std::max(most, tiles.size());
    for (const ProductTile& tile : tiles) cells += tile.rows.count() * tile.columns.count();
  }
  EXPECT_EQ(cells, 520 * 512) << "each element in one tile";
  EXPECT_EQ(most, 1u) << "40 tiles for 66 blocks";
  const auto more = tiles("tensor/13_persistent", cube(1024), {{"BLOCKS", 66}, {"BN", 64}});
  ASSERT_TRUE(more) << to_line(more.error());
  EXPECT_EQ(more->of_block[0].size(), 2u) << "128 tiles";
  EXPECT_EQ(more->of_block[65].size(), 1u);
}

// What others of the cluster bring is in the tile, and not its own.
TEST_F(ProductTilesTest, OfAClusterAreBroughtByAllOfItsBlocks) {
  const auto found = tiles("tensor/17_tile_order", cube(512));
  ASSERT_TRUE(found) << to_line(found.error());
  const ProductTile &first = found->of_block[0].front(), &second = found->of_block[1].front();
  EXPECT_EQ(first.columns, (Stretch{0, 256}));
  EXPECT_EQ(second.columns, first.columns);
  EXPECT_EQ(first.own_columns, (Stretch{0, 128}));
  EXPECT_EQ(second.own_columns, (Stretch{128, 256}));
  EXPECT_EQ(second.rows, (Stretch{128, 256}));
}

TEST_F(ProductTilesTest, OfNoProductAreAnError) {
  const auto run = run_of(*kernels().find("transpose/02_tiled"), {}, {{"M", 64}, {"N", 64}});
  ASSERT_TRUE(run);
  EXPECT_FALSE(multiplies_matrices(**run));
  EXPECT_EQ(product_tiles_of(**run).error().message,
            "the blocks of this kernel make no tiles of a product of two matrices");
}

}  // namespace
}  // namespace warplens::run
