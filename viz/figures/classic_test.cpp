// NVIDIA's classic pictures, of the CUDA C Programming Guide 4.2 (sections F.3.2 and F.3.3) and of the early
// lectures, on the devices they were drawn for: their numbers, and golden SVGs of the figures.
#include <gtest/gtest.h>

#include "engine/analysis/index_expression.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

struct Picture {
  std::string name, index, device;
  bool shared;
  int cost, transactions_or_ways;
};

void PrintTo(const Picture& picture, std::ostream* out) { *out << picture.index << " on " << picture.device; }

WarpAccessView classic_view(const Picture& picture) {
  const auto access = analysis::access_at_index(picture.index, analysis::AccessOp::load, 4);
  return figures::view_of(*access, picture.shared, device_named(picture.device), picture.index);
}

class Classic : public testing::TestWithParam<Picture> {};

TEST_P(Classic, HasItsNumbersAndItsPicture) {
  const Picture& picture = GetParam();
  const WarpAccessView view = classic_view(picture);
  EXPECT_EQ(view.pieces.units, picture.cost);
  const scene::FixedMeasure measure;
  if (picture.shared) {
    std::size_t ways = 0;
    for (int phase = 0; phase < 2; ++phase)
      for (const auto& bank : analysis::bank_map(view.pieces.shared, phase))
        ways = std::max(ways, bank.words.size());
    EXPECT_EQ(static_cast<int>(ways), picture.transactions_or_ways);
    expect_golden(banks_scene(view, {1280, 720}, measure), picture.name);
  } else {
    EXPECT_EQ(analysis::counts_of(view.pieces.global).transactions, picture.transactions_or_ways);
    expect_golden(coalescing_scene(view, {1280, 720}, measure), picture.name);
  }
}

// Global: sectors moved, then transactions. Two half-warps make one 64-byte segment each where coalesced;
// 1.0 makes one transaction a lane where lanes are permuted, misaligned or three floats apart; 1.2 and later
// only as many segments as are touched. Shared: wavefronts of both half-warps, then ways of the conflict.
INSTANTIATE_TEST_SUITE_P(Pictures, Classic,
                         testing::Values(Picture{"coalesced_1_0", "lane", "1.0", false, 4, 2},
                                         Picture{"permuted_1_0", "lane ^ 1", "1.0", false, 32, 32},
                                         Picture{"misaligned_1_0", "lane + 1", "1.0", false, 32, 32},
                                         Picture{"float3_1_0", "3 * lane", "1.0", false, 32, 32},
                                         Picture{"permuted_1_3", "lane ^ 1", "1.3", false, 4, 2},
                                         Picture{"float3_1_3", "3 * lane", "1.3", false, 12, 4},
                                         Picture{"misaligned_9_0", "lane + 1", "h100", false, 5, 5},
                                         Picture{"banks_stride_1", "lane", "1.0", true, 2, 1},
                                         Picture{"banks_permuted", "(lane * 5) % 16 + lane / 16 * 16", "1.0",
                                                 true, 2, 1},
                                         Picture{"banks_2_way", "2 * lane", "1.0", true, 4, 2},
                                         Picture{"banks_8_way", "8 * lane", "1.0", true, 16, 8},
                                         Picture{"banks_stride_1_9_0", "lane", "h100", true, 1, 1}),
                         [](const auto& tested) { return tested.param.name; });

// A bank of 3.x gives two words at once: both lanes are there, and four words in a bank are no 4-way
// conflict.
TEST(Classic, ABankOfKeplerGivesTwoWordsAtOnce) {
  const auto access = analysis::access_at_index("2 * lane", analysis::AccessOp::load, 8);
  ASSERT_TRUE(access);
  const WarpAccessView view = figures::view_of(*access, true, device_named("3.5"), "2 * lane");
  EXPECT_EQ(view.pieces.units, 2);
  const auto svg = paint::to_svg(banks_scene(view, {1280, 720}, scene::FixedMeasure{}), theme::light(),
                                 scene::FixedMeasure{});
  ASSERT_TRUE(svg);
  EXPECT_NE(svg->find("2-way"), std::string::npos);
  EXPECT_EQ(svg->find("4-way"), std::string::npos);
  // Each lane stands above, and in the cells of its two words.
  for (const char* lane : {">8<", ">31<"}) {
    std::size_t count = 0;
    for (std::size_t at = svg->find(lane); at != std::string::npos; at = svg->find(lane, at + 1)) ++count;
    EXPECT_EQ(count, 4u) << lane;  // with the bank of that number
  }
}

// A half-warp of one lane.
TEST(Classic, ARowNamesTheLanesOrTheLaneThatItServes) {
  auto access = analysis::access_at_index("lane", analysis::AccessOp::load, 4);
  ASSERT_TRUE(access);
  access->active = 1u << 20 | 0xff;
  const WarpAccessView view = figures::view_of(*access, true, device_named("1.0"), "lane");
  const auto svg = paint::to_svg(banks_scene(view, {1280, 720}, scene::FixedMeasure{}), theme::light(),
                                 scene::FixedMeasure{});
  ASSERT_TRUE(svg);
  EXPECT_NE(svg->find("1 · lanes 0-7<"), std::string::npos);
  EXPECT_NE(svg->find("2 · lane 20<"), std::string::npos);
}

TEST(Classic, OccupancyOfTheLecture) {
  const auto scene = occupancy_scene({device_named("1.0"), {128, 30, 5 * 1024}, "Lecture"}, {1280, 720},
                                     scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  const auto svg = paint::to_svg(*scene, theme::light(), scene::FixedMeasure{});
  EXPECT_NE(svg->find("8 of 24 warps, 256 threads"), std::string::npos);
  EXPECT_NE(svg->find("2 blocks on each SM"), std::string::npos);
  expect_golden(*scene, "occupancy_1_0");
}

// The same numbers set by hand for a kernel that has others: marked, with the kernel's own beside them.
TEST(Classic, OccupancyOfTheLectureSetByHand) {
  const device::ResourceUsage lecture{128, 30, 5 * 1024}, kernel{256, 30, 0};
  const auto scene =
      occupancy_scene({device_named("1.0"), lecture, "Naive", kernel}, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  const auto svg = paint::to_svg(*scene, theme::light(), scene::FixedMeasure{});
  EXPECT_NE(svg->find("8 of 24 warps, 256 threads"), std::string::npos);
  EXPECT_NE(svg->find("set by hand, the kernel has 256<"), std::string::npos);
  EXPECT_NE(svg->find("set by hand, the kernel has 0 KiB<"), std::string::npos);
  EXPECT_EQ(svg->find("the kernel has 30<"), std::string::npos);  // that one is the kernel's own
  expect_golden(*scene, "occupancy_by_hand");
}

// A class sees the places of an SM, and the one curve that is spoken of, or else what limits the blocks.
TEST(Classic, OccupancyForAClass) {
  const scene::FixedMeasure measure;
  const OccupancyInput input{device_named("gtx280"), {256, 17, 2048}, "Lecture"};
  for (const scene::Size size : {scene::Size{640, 400}, scene::Size{400, 420}}) {
    const auto limits = occupancy_for_class(input, "", size, measure);
    const auto curve = occupancy_for_class(input, "registers", size, measure);
    ASSERT_TRUE(limits && curve);
    EXPECT_FALSE(scene::find_bounds(*limits, "registers", measure));
    const auto line = scene::find_bounds(*curve, "registers", measure);
    ASSERT_TRUE(line);
    EXPECT_GT(line->width, size.width * 0.4);
  }
}

// 528 blocks are 4 for each of 132 SMs, where 8 would fit; 1,056 fill them, and 16 leave most SMs idle: then what is drawn is one
// that is full.
TEST(Classic, OccupancySaysWhereTheGridHasFewerBlocksThanFit) {
  const scene::FixedMeasure measure;
  for (const auto& [grid, said] : {std::pair{528u, true}, {1056u, false}, {16u, false}, {0u, false}}) {
    OccupancyInput input{device_named("h100"), {256, 26, 32}, "Sum"};
    input.grid = grid;
    for (const auto& scene : {occupancy_for_class(input, "", {800, 500}, measure),
                              occupancy_scene(input, {1280, 720}, measure)}) {
      ASSERT_TRUE(scene);
      const auto svg = paint::to_svg(*scene, theme::light(), measure);
      EXPECT_EQ(svg->find("528 blocks: 4 for each SM") != std::string::npos, said) << grid;
      EXPECT_EQ(svg->find("the grid has no more") != std::string::npos, said) << grid;
      EXPECT_EQ(svg->find("16 blocks for 132 SMs") != std::string::npos, grid == 16) << grid;
      EXPECT_EQ(svg->find("Occupancy of a full SM") != std::string::npos, grid == 16) << grid;
    }
  }
}

TEST(Classic, ABlockThatIsTooLargeSaysOfWhatItHasTooMuch) {
  const auto scene =
      occupancy_scene({device_named("h100"), {1025, 16, 0}, "Large"}, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  const auto svg = paint::to_svg(*scene, theme::light(), scene::FixedMeasure{});
  EXPECT_NE(svg->find("1,025 threads are above"), std::string::npos);
}

}  // namespace
}  // namespace warplens::figures
