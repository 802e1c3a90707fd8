// Which steps of the products of the repository bring a tile while another one is multiplied.
#include "engine/report/tile_flights.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::report {
namespace {

std::vector<TileFlight> flights(std::string_view id,
                                const catalog::Values& sizes = {{"M", 256}, {"N", 256}, {"K", 256}}) {
  const auto job = run::job_of(*run::kernels().find(id), {}, sizes);
  EXPECT_TRUE(job);
  const auto execution = run::execute(*job, {.record = 0});
  EXPECT_TRUE(execution);
  const auto run = *run::tabulate(*job, *execution);
  return tile_flights(run->stories[0]->accesses(), 0);
}

class TileFlights : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

// One tile after the other: what is asked for comes before it is read, and nothing else is read meanwhile.
TEST_F(TileFlights, OneCopyOfATileWaits) {
  for (const char* id : {"matmul/03_shared_tile", "matmul/05_register_2d", "matmul/07_conflict_free"}) {
    const auto found = flights(id);
    ASSERT_GE(found.size(), 4u) << id;
    for (std::size_t tile = 0; tile < found.size(); ++tile) {
      EXPECT_LT(found[tile].asked, found[tile].read) << id;
      EXPECT_LT(found[tile].read, found[tile].after) << id;
      EXPECT_EQ(under_way(found, tile), 0u) << id;
    }
  }
}

// What goes to registers and not to shared memory is no tile.
TEST_F(TileFlights, LoadsBesideTilesAreNone) {
  const auto found = flights("ncsa/02_k2", {});
  ASSERT_GE(found.size(), 3u);
  for (std::size_t tile = 0; tile < found.size(); ++tile) EXPECT_EQ(under_way(found, tile), 0u);
}

TEST_F(TileFlights, ASecondCopyTravelsMeanwhile) {
  for (const char* id : {"matmul/08_double_buffer", "matmul/09_warp_tile"}) {
    const auto found = flights(id);
    ASSERT_GE(found.size(), 4u) << id;
    EXPECT_EQ(under_way(found, 0), 1u) << id;
    EXPECT_EQ(under_way(found, 2), 1u) << id;
    EXPECT_GE(found[1].asked, found[0].asked) << id;
    EXPECT_LE(found[1].asked, found[0].read) << id;
  }
}

// Three stages: two tiles are on their way beside the one that is multiplied.
TEST_F(TileFlights, CopiesOfAPipelineAreTwoAhead) {
  const auto found = flights("matmul/10_async_pipeline");
  ASSERT_GE(found.size(), 4u);
  EXPECT_EQ(under_way(found, 0), 2u);
  EXPECT_EQ(under_way(found, 1), 2u);
}

TEST_F(TileFlights, NothingIsBroughtWithoutSharedMemory) {
  EXPECT_TRUE(flights("matmul/02_coalesced").empty());
}

}  // namespace
}  // namespace warplens::report
