// The SM timeline on launches whose times are made by a scheduler of the simplest kind: each block goes to
// the slot that is free first.
#include "viz/figures/performance/timeline.hpp"

#include "viz/figures/testing/figure_support.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

// Durations differ by up to a fifth from block to block, the same on every machine.
TimelineInput launch(std::uint64_t blocks, std::uint32_t sms, std::uint32_t slots) {
  TimelineInput input{"Tiled multiplication", "a GPU of the test", {}, sms};
  std::vector<std::uint64_t> free_from(std::size_t{sms} * slots, 1000);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const auto slot = std::min_element(free_from.begin(), free_from.end());
    const std::uint64_t end = *slot + 10'000 + block * 7919 % 2003;
    input.blocks.push_back({block, static_cast<std::uint32_t>(slot - free_from.begin()) % sms, *slot, end});
    *slot = end;
  }
  return input;
}

TEST(Timeline, CountsWavesTailAndBusyTime) {
  // Two SMs of one slot: blocks 0 and 1 together, then 2 alone.
  const Timeline timeline({"", "", {{0, 0, 100, 200}, {1, 1, 100, 180}, {2, 0, 200, 300}}, 2});
  EXPECT_EQ(timeline.slots(), 1u);
  EXPECT_EQ(timeline.waves(), 2u);
  EXPECT_DOUBLE_EQ(timeline.full_waves(), 1.5);
  EXPECT_DOUBLE_EQ(timeline.duration(), 200);
  EXPECT_DOUBLE_EQ(timeline.tail_start(), 80);
  EXPECT_DOUBLE_EQ(timeline.busy_share(), (200.0 + 80) / 400);
}

TEST(Timeline, BlocksOfOneSmAtOnceTakeSlots) {
  const Timeline timeline({"", "", {{0, 3, 0, 100}, {1, 3, 10, 50}, {2, 3, 60, 90}}, 0});
  ASSERT_EQ(timeline.sms().size(), 1u);
  EXPECT_EQ(timeline.sms()[0].id, 3u);
  EXPECT_EQ(timeline.slots(), 2u);
  EXPECT_EQ(timeline.sms()[0].bars[2].slot, 1u);
  EXPECT_EQ(timeline.sms()[0].bars[2].wave, 1u);
  EXPECT_DOUBLE_EQ(timeline.busy_share(), 1);
}

// Of a large grid a bar stands for several blocks that follow each other; what is said is of the blocks.
TEST(Timeline, ABarMayStandForSeveralBlocks) {
  TimelineInput input{"", "", {{0, 0, 0, 200}, {2, 1, 0, 200}}, 2};
  input.grid = 4, input.held = 2;
  const Timeline timeline(input);
  EXPECT_EQ(timeline.bars(), 2u);
  EXPECT_EQ(timeline.blocks(), 4u);
  EXPECT_DOUBLE_EQ(timeline.full_waves(), 1);
}

TEST(Timeline, SmsWithoutABlockAreRowsToo) {
  const Timeline timeline({"", "", {{0, 5, 0, 100}}, 4});
  ASSERT_EQ(timeline.sms().size(), 4u);
  EXPECT_EQ(timeline.sms().back().id, 5u);
  EXPECT_DOUBLE_EQ(timeline.busy_share(), 0.25);
  EXPECT_DOUBLE_EQ(timeline.tail_start(), 0);
}

TEST(Timeline, DrawsManyBlocksAsPixels) {
  const scene::FixedMeasure measure;
  const scene::Size size{1280, 720};
  const Timeline few(launch(40, 8, 1)), many(launch(20'000, 132, 2));
  const auto bounds = scene::find_bounds(timeline_scene(few, size, measure), "block:17", measure);
  ASSERT_TRUE(bounds);
  EXPECT_FALSE(scene::find_bounds(timeline_scene(many, size, measure), "block:17", measure));
  EXPECT_TRUE(scene::find_bounds(timeline_scene(many, size, measure), "timeline", measure));
}

TEST(Timeline, HasItsPictures) {
  const scene::FixedMeasure measure;
  expect_golden(timeline_scene(Timeline(launch(40, 8, 1)), {1280, 720}, measure), "timeline_waves");
  expect_golden(timeline_scene(Timeline(launch(1, 1, 1)), {720, 460}, measure), "timeline_one_block");
  expect_golden(timeline_scene(Timeline({}), {720, 460}, measure), "timeline_empty");
}

// The picture of a long launch is an image, so its items do not grow with the blocks.
TEST(Timeline, TakesAHundredThousandBlocks) {
  const Timeline timeline(launch(100'000, 132, 4));
  const auto scene = timeline_scene(timeline, {1280, 720}, scene::FixedMeasure{});
  EXPECT_LT(scene.root.items.size(), 400u);
}

}  // namespace
}  // namespace warplens::figures
