#include "engine/gpu/driver/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace warplens::gpu {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Statistics, AreOrderStatistics) {
  auto values = one_to(101);
  std::reverse(values.begin(), values.end());
  const Statistics s = statistics_of(values, 7);
  EXPECT_EQ(s.samples, 101);
  EXPECT_EQ(s.seconds, values) << "in the order in which they were taken";
  EXPECT_EQ(s.launches_per_sample, 7);
  EXPECT_DOUBLE_EQ(s.median, 51);
  EXPECT_DOUBLE_EQ(s.p10, 11);
  EXPECT_DOUBLE_EQ(s.p90, 91);
  EXPECT_DOUBLE_EQ(s.least, 1);
  // Ranks 50.5 -+ 9.85 of 0 to 100: 40 and 61, ten and a half from each other's middle.
  EXPECT_NEAR(s.uncertainty, 10.5 / 51, 1e-12);
}

TEST(Statistics, OneSampleIsItsOwnMedian) {
  const Statistics s = statistics_of({0.25}, 1);
  EXPECT_DOUBLE_EQ(s.median, 0.25);
  EXPECT_DOUBLE_EQ(s.p90, 0.25);
  EXPECT_EQ(statistics_of({}, 1).samples, 0);
}

TEST(Statistics, QuantileLiesBetweenSamples) { EXPECT_DOUBLE_EQ(quantile({1, 2, 4}, 0.75), 3); }

TEST(Enough, WaitsForTheLeastSamplesThenForTimeOrSpread) {
  const TimingOptions options{.seconds = 1, .spread = 0.01, .least_samples = 5, .most_samples = 100};
  const std::vector<double> steady(5, 2.0), wild = {1, 9, 1, 9, 5};
  EXPECT_FALSE(is_enough(options, {{2, 2, 2, 2}}, 0)) << "too few samples";
  EXPECT_FALSE(is_enough(options, {steady, {2, 2}}, 10)) << "too few of the second";
  EXPECT_TRUE(is_enough(options, {steady}, 0)) << "known exactly";
  EXPECT_FALSE(is_enough(options, {steady, wild}, 0.5)) << "the second is not known";
  EXPECT_TRUE(is_enough(options, {steady, wild}, 1.0)) << "the time is up";
  EXPECT_TRUE(is_enough(options, {std::vector<double>(100, 1.0)}, 0));
}

TEST(Launches, ShortKernelsShareASampleUnlessTheCacheIsCold) {
  EXPECT_EQ(launches_for(1e-3, false), 1);
  EXPECT_EQ(launches_for(10e-6, false), 10);
  EXPECT_EQ(launches_for(0, false), 50);
  EXPECT_EQ(launches_for(10e-6, true), 1);
  EXPECT_EQ(samples_per_round(1), 1);
  EXPECT_EQ(samples_per_round(5e-3), 4);
  EXPECT_EQ(samples_per_round(1e-6), 16);
}

}  // namespace
}  // namespace warplens::gpu
