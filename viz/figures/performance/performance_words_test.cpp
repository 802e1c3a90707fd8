// What the figures of a ladder say.
#include "viz/figures/performance/performance_words.hpp"

#include <gtest/gtest.h>

#include "engine/explain/claims/quantity.hpp"
#include "viz/figures/testing/speeds.hpp"

namespace warplens::figures {
namespace {

using speeds::input, speeds::step;

// What the figures of a ladder say comes from its numbers.
TEST(PerformanceWords, SayWhatTheSpeedsSay) {
  PerformanceInput in = input();
  in.points[0].number = 1, in.points[1].number = 2, in.points[2].number = 3;
  in.chosen = in.points[0].id;
  const explain::Explanation ladder = ladder_words(in);
  EXPECT_EQ(ladder.what, "8 times as fast in 2 steps, 40 % of cuBLAS");
  EXPECT_EQ(ladder.why, "step 2, tiled, brings most: 8 times the best before it");
  EXPECT_EQ(ladder.fix, "on to step 2: 8 times as fast");
  in.chosen = in.points[1].id;
  in.roofline->memory_gb_per_s = 150;
  EXPECT_EQ(roofline_words(in).what, "step 2 reaches 67 % of what the bandwidth of memory allows");
  EXPECT_TRUE(ladder_words({}).what.empty());
  EXPECT_TRUE(size_words(input()).what.empty());  // one size is no curve
  PerformanceInput curve = input();
  curve.points = {step("tiled", 512, 100, 0), step("tiled", 1024, 380, 0), step("tiled", 2048, 400, 0)};
  for (auto& point : curve.points) point.number = 2;
  curve.run_size = 512;
  const explain::Explanation said = size_words(curve);
  EXPECT_EQ(said.what, "step 2 has 25 % of its best speed at 512");
  EXPECT_EQ(said.fix, "1,024 and larger: 90 % of the best, or more");
  EXPECT_EQ(said.verdict, explain::Verdict::costly);
  curve.points.push_back(step("tiled", 4096, 300, 0));
  curve.points.back().number = 2;
  EXPECT_EQ(size_words(curve).fix, "") << "the largest size has three quarters of the best speed";
}

// Speeds of other problems are no measure of each other, and the first step is where the counting begins.
TEST(PerformanceWords, TheHeadlineComparesStepsOfOneProblem) {
  PerformanceInput in = input();
  in.points = {step("load", 512, 50, 0), step("load twice", 512, 200, 0), step("other", 512, 900, 0)};
  for (std::size_t i = 0; i < 3; ++i) in.points[i].number = i + 3, in.points[i].library.reset();
  in.points[2].problem = "another one";
  EXPECT_EQ(headline_of(in), "4 times as fast in 2 steps");
  in.points[1].problem = "a third one";
  EXPECT_EQ(headline_of(in), "");
  in.points = {step("slow", 512, 0.5, 0), step("fast", 512, 617.25, 0)};
  for (auto& point : in.points) point.library.reset();
  EXPECT_EQ(headline_of(in), "1,235 times as fast in 2 steps");
}

// A share of the model's time beside one of a measured speed: both say of what they are.
TEST(PerformanceWords, WhatTheModelSaysIsOfItsOwnSpeed) {
  PerformanceInput in = input();
  in.chosen = in.points[1].id;
  PerformancePoint& point = in.points[1];
  const double measured = shown_speed(point).speed->value;
  point.limit.what = "L1 limits this step: busy 90 %";
  explain::Claim busy;
  busy.quantity = explain::Quantity::limits, busy.of = "l1", busy.number = 0.9;
  point.limit.claims = {busy};
  const auto why = [&] { return roofline_words(in).why; };
  const auto says = [&](std::string_view part) { return why().find(part) != std::string::npos; };
  EXPECT_TRUE(says("; by the model L1 limits this step: busy 90 %")) << why();
  point.predicted = MeasuredSpeed{0.8 * measured, ""};
  EXPECT_TRUE(says("; by the model, which predicts ")) << why();
  point.predicted->value = 0.99 * measured;
  EXPECT_TRUE(says("; by the model L1")) << why();
  const std::string of_lines = "however few bytes";
  EXPECT_FALSE(says(of_lines)) << "another roof is nearer: " << roofline_words(in).what;
  in.roofline->caches = true, in.roofline->l1_gb_per_s = 200;
  ASSERT_TRUE(roofline_words(in).what.find("bandwidth of L1") != std::string::npos)
      << roofline_words(in).what;
  EXPECT_TRUE(says(of_lines)) << why();
}

}  // namespace
}  // namespace warplens::figures
