// Grids whose blocks do not do equally much: where blocks go, how long that takes, and what is said to save time.
#include "engine/time/chip/uneven.hpp"

#include <gtest/gtest.h>

#include <string>

#include "engine/run/testing/run_support.hpp"
#include "engine/time/launch/timeline.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/why/reason.hpp"

namespace warplens::time {
namespace {

using emulator::BlockWork;

TEST(BlockWorks, BecomeOneWhereNeighboursDoEquallyMuch) {
  std::vector<BlockWork> work;
  for (std::uint64_t block = 0; block < 4; ++block) append(work, {block, 1, block < 3 ? 8u : 9u, 2});
  EXPECT_EQ(work, (std::vector<BlockWork>{{0, 3, 8, 2}, {3, 1, 9, 2}}));
}

TEST(BlockWorks, OfASampleSpeakForTheBlocksAround) {
  const std::vector<BlockWork> sample{{0, 1, 5, 1}, {10, 1, 7, 1}, {99, 1, 9, 1}};
  const auto all = over_grid(sample, 100);
  EXPECT_EQ(all, (std::vector<BlockWork>{{0, 5, 5, 1}, {5, 50, 7, 1}, {55, 45, 9, 1}}));
  EXPECT_TRUE(emulator::over_grid({}, 100).empty());
}

TEST(BlockWorks, AreKeptOfTheBlocksOfALaunchAlone) {
  const std::vector<std::uint64_t> blocks{3, 7};
  emulator::WorkOfBlocks kept(blocks, 10);
  kept.keep(7, 70, 10), kept.keep(3, 30, 10), kept.keep(4, 40, 10);
  EXPECT_EQ(kept.all(), (std::vector<BlockWork>{{3, 1, 30, 10}, {7, 1, 70, 10}}));
}

TEST(LongestBlock, IsNoneWhereBlocksDoAboutEquallyMuch) {
  EXPECT_FALSE(longest_block({}));
  EXPECT_FALSE(longest_block(std::vector<BlockWork>{{0, 100, 10, 10}, {100, 1, 2, 2}}));
  EXPECT_EQ(longest_block(std::vector<BlockWork>{{0, 7, 10, 10}, {7, 1, 20, 20}}), 7u);
}

// Two blocks fit on an SM, where each takes half as long again.
Pace pace_on(int sms) { return {{100, 150}, 0, 0, sms}; }

TEST(Spread, OfEqualBlocksIsWaves) {
  const auto cycles = [](std::uint64_t blocks) {
    return spread_over_sms(std::vector<Lengths>{{blocks, 1}}, pace_on(4)).cycles;
  };
  EXPECT_NEAR(cycles(4), 100, 1e-3);
  EXPECT_NEAR(cycles(8), 150, 1e-3);
  // Those that start when the older ones end fill the end of the younger ones.
  EXPECT_LT(cycles(16), 300);
  EXPECT_GT(cycles(16), 16.0 / 4 * 150 / 2 - 33);
}

TEST(Spread, EndsWithTheLongestBlock) {
  const Spread spread = spread_over_sms(std::vector<Lengths>{{1, 1}, {3, 0.01}}, pace_on(4));
  EXPECT_DOUBLE_EQ(spread.cycles, 100);
  EXPECT_DOUBLE_EQ(spread.busy, 103);
  EXPECT_DOUBLE_EQ(spread.resident, 1);
}

// The older block goes as fast as alone; the younger one has half of that until then.
TEST(Spread, LeavesToYoungerBlocksWhatTheOldestCannotUse) {
  const Spread spread = spread_over_sms(std::vector<Lengths>{{1, 1}, {1, 0.5}}, pace_on(1));
  EXPECT_NEAR(spread.cycles, 100, 1e-3);
  EXPECT_NEAR(spread.resident, 2, 1e-3);
  EXPECT_NEAR(spread_over_sms(std::vector<Lengths>{{1, 0.5}, {1, 1}}, pace_on(1)).cycles, 50 + 75, 1e-3);
}

TEST(Spread, TakesLongerWhereTheLongestBlockComesLast) {
  const double last = spread_over_sms(std::vector<Lengths>{{40, 0.1}, {1, 1}}, pace_on(4)).cycles,
               first = spread_over_sms(std::vector<Lengths>{{1, 1}, {40, 0.1}}, pace_on(4)).cycles;
  EXPECT_GT(last, first + 30);
  EXPECT_GE(first, 100);
}

// 35 times as long as the others, and the oldest of its SM: they are done before it, or wait for it alone.
TEST(Spread, ALongBlockThatComesFirstGoesOnBesideTheOthers) {
  const Pace full{{100, 200}, 0, 0, 4};
  const double many = spread_over_sms(std::vector<Lengths>{{1, 1}, {800, 0.02}}, full).cycles;
  EXPECT_GE(many, (1 + 800 * 0.02) * 100 / 4 - 1e-3);
  EXPECT_LT(many, 1.05 * (1 + 800 * 0.02) * 100 / 4);
}

TEST(Spread, StartsOneBlockAfterTheOther) {
  Pace pace = pace_on(4);
  pace.start_interval = 10;
  const Spread spread = spread_over_sms(std::vector<Lengths>{{99, 0}, {1, 1}}, pace);
  EXPECT_DOUBLE_EQ(spread.cycles, 990 + 100);
}

TEST(Spread, PlacesEachBlockOnce) {
  std::vector<PlacedBlocks> placed;
  const std::vector<Lengths> blocks{{50'000, 0.01}, {1, 1}, {49'999, 0.02}};
  const Spread spread = spread_over_sms(blocks, pace_on(4), &placed);
  std::uint64_t next = 0;
  for (const PlacedBlocks& each : placed) {
    EXPECT_EQ(each.first, next);
    EXPECT_LE(each.end, spread.cycles);
    next += each.blocks;
  }
  EXPECT_EQ(next, 100'000u);
}

// A kernel whose threads go round `turns` times, an expression over blockIdx.x.
Result<run::SharedRun> run_of_turns(const std::string& turns, int blocks) {
  const std::string text = R"cu(/*---
title = "turns"
[problem]
sizes = { G = )cu" + std::to_string(blocks) +
                           R"cu( }
buffers = [{ name = "y", type = "float", count = "G * 128", output = true }]
none = "only its time is looked at"
[launch]
block = ["128"]
grid = ["G"]
---*/
__global__ void turns(float* y) {
  const int b = blockIdx.x, turns = )cu" +
                           turns + R"cu(;
  float a = threadIdx.x * 0.001f, s = 0.5f;
  for (int k = 0; k < turns; ++k) s = s * a + 0.5f;
  y[b * 128 + threadIdx.x] = s;
}
)cu";
  const auto spec = catalog::parse_kernel(text, "turns", "turns.cu");
  return spec ? run::run_of(*spec, {}, {}) : spec.error();
}
Prediction prediction_of_turns(const std::string& turns, int blocks) {
  const auto run = run_of_turns(turns, blocks);
  EXPECT_TRUE(run) << to_line(run.error());
  if (!run) return {};
  const auto prediction = predict(**run);
  EXPECT_TRUE(prediction) << to_line(prediction.error());
  return prediction ? *prediction : Prediction();
}

// One block of 35 times as many turns ends no sooner than such a block alone, whatever the mean says.
TEST(Uneven, WaitsForOneLongBlock) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Prediction alone = prediction_of_turns("70000", 1), equal = prediction_of_turns("2000", 264),
                   uneven = prediction_of_turns("b == 17 ? 70000 : 2000", 264);
  EXPECT_NEAR(seconds_on_sms(uneven), seconds_on_sms(alone), 0.1 * seconds_on_sms(alone));
  EXPECT_GT(seconds_on_sms(uneven), 20 * seconds_on_sms(equal));
  EXPECT_NEAR(uneven.longest_block, 70000 * 264.0 / (70000 + 263 * 2000), 1);
  EXPECT_GT(uneven.waits_for_longest, 0.8);
  EXPECT_GT(uneven.tail, 0.8);
  EXPECT_EQ(hold_of(uneven).name, "longest");
  EXPECT_LT(uneven.longest_first, 0.05) << "it begins with the others";
  EXPECT_EQ(equal.longest_block, 1);
  EXPECT_EQ(equal.waits_for_longest, 0);
}

// 33 busy blocks on as many SMs take as long as one of them; 527 idle ones beside them only start.
TEST(Uneven, DoesNotShareOutTheWorkOfBusyBlocksToIdleOnes) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Prediction alone = prediction_of_turns("20000", 33),
                   beside = prediction_of_turns("b % 16 == 0 ? 20000 : 0", 528);
  EXPECT_NEAR(seconds_on_sms(beside), seconds_on_sms(alone), 0.1 * seconds_on_sms(alone));
  EXPECT_GT(beside.tail, 0.5);
}

// Of a triangular loop in ascending order the longest blocks come last; in descending order short ones fill the end.
TEST(Uneven, ATriangularLoopIsQuickerFromItsLongEnd) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Prediction up = prediction_of_turns("b * 4", 4224),
                   down = prediction_of_turns("(4223 - b) * 4", 4224),
                   equal = prediction_of_turns("8446 + (b >> 30)", 4224);
  EXPECT_LT(seconds_on_sms(down), 0.97 * seconds_on_sms(up));
  EXPECT_NEAR(seconds_on_sms(down), seconds_on_sms(equal), 0.15 * seconds_on_sms(equal));
  EXPECT_NEAR(up.longest_block, 2, 0.1);
  EXPECT_NEAR(up.longest_first, 1 - seconds_on_sms(down) / seconds_on_sms(up), 0.03);
  EXPECT_LT(down.longest_first, 0.02);
}

// The figure of blocks over time shows what is predicted.
TEST(Uneven, HasATimelineOfItsBlocks) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto run = run_of_turns("b == 17 ? 70000 : 2000", 264);
  ASSERT_TRUE(run);
  const auto timeline = timeline_of(**run);
  ASSERT_TRUE(timeline) << to_line(timeline.error());
  ASSERT_EQ(timeline->blocks.size(), 264u);
  const BlockSpan& longest = timeline->blocks[17];
  EXPECT_EQ(longest.block, 17u);
  double others_end = 0;
  for (const BlockSpan& span : timeline->blocks)
    if (span.block != 17) others_end = std::max(others_end, span.end);
  EXPECT_LT(others_end, longest.end / 10);
}

// Each warp goes all four ways of the switch, one after another; what is scheduled may go one.
TEST(Prediction, IsNotBelowWhatItsBusiestUnitNeeds) {
  const auto spec = catalog::parse_kernel(R"cu(/*---
title = "four ways"
[problem]
sizes = { N = 1048576 }
buffers = [{ name = "x", type = "float", count = "N" }, { name = "y", type = "float", count = "N", output = true }]
none = "only its time is looked at"
[launch]
block = ["256"]
grid = ["ceil_div(N, 256)"]
---*/
__global__ void ways(const float* x, float* y, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float s = x[i];
  switch (i & 3) {
    case 0: for (int k = 0; k < 64; ++k) s = __sinf(s) + 0.1f; break;
    case 1: for (int k = 0; k < 64; ++k) s = __expf(-s * s); break;
    case 2: for (int k = 0; k < 64; ++k) s = sqrtf(s * s + 1); break;
    default: for (int k = 0; k < 64; ++k) s = s * 0.99f + 1;
  }
  y[i] = s;
}
)cu",
                                          "ways", "ways.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = run::run_of(*spec, {}, {});
  ASSERT_TRUE(run) << to_line(run.error());
  const auto p = predict(**run);
  ASSERT_TRUE(p) << to_line(p.error());
  EXPECT_GE(p->cycles, 0.9 * p->warp_instructions / (4 * run::h100().sm_count));
  EXPECT_LE(busiest(p->units).busy, 1);
}

}  // namespace
}  // namespace warplens::time
