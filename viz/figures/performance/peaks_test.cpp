// What a roofline is held against: the peaks of lanes and of tensor cores, and the units of speeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "viz/figures/performance/performance.hpp"
#include "viz/figures/testing/speeds.hpp"

namespace warplens::figures {
namespace {

using speeds::input;

// Products of 8 bits go through tensor cores twice as fast as those of 16, and other operations beside them.
TEST(Performance, TensorCoresHaveAPeakOfTheirOwn) {
  PerformanceInput in = input();
  PerformancePoint& point = in.points[2];
  point.tensor = {.operations = point.work, .of_16_bits = point.work / 2};
  EXPECT_FALSE(bound_of(in, point)) << "no peak is known";
  in.roofline->tensor_gflops = 1000;
  EXPECT_DOUBLE_EQ(bound_of(in, point)->speed, 2000);
  EXPECT_EQ(bound_of(in, point)->by, device::Roof::tensor);
  const auto ceilings = [&] {
    std::vector<std::string> texts;
    for (const plot::Annotation& one : roofline_plot(in).annotations) texts.push_back(one.text);
    return texts;
  };
  EXPECT_THAT(ceilings(),
              testing::ElementsAre("8-bit operands on tensor cores, 2 TFLOP/s", "fp32, 1.2 TFLOP/s"));
  const plot::Plot plot = roofline_plot(in);
  const auto roof = std::ranges::find(plot.series, "roof", &plot::Series::id);
  ASSERT_NE(roof, plot.series.end());
  EXPECT_DOUBLE_EQ(*std::ranges::max_element(roof->y), 2000);
}

// A list of which the half is predicted has no best step yet.
TEST(Performance, SaysNothingOfAListThatIsBeingPredicted) {
  PerformanceInput in = input();
  for (PerformancePoint& point : in.points) point.recorded.reset(), point.library.reset();
  in.points[0].predicted = MeasuredSpeed{50, "by the model"};
  in.points[1].predicted = MeasuredSpeed{400, "by the model"};
  EXPECT_EQ(headline_of(in), "");
  in.points[2].predicted = MeasuredSpeed{900, "by the model"};
  EXPECT_THAT(headline_of(in), testing::HasSubstr("18 times as fast in 3 steps"));
  in.points[2].predicted.reset();
  in.points[2].refused = "its block is too large";
  EXPECT_THAT(headline_of(in), testing::HasSubstr("8 times as fast in 2 steps"));
}

// Speeds of floats beside those of whole numbers are all of operations.
TEST(Performance, UnitsOfOperationsStandSideBySide) {
  EXPECT_EQ(common_unit(kFloatingPoint, kFloatingPoint), "GFLOP/s");
  EXPECT_EQ(common_unit(kFloatingPoint, kWholeNumbers), "GOP/s");
  EXPECT_TRUE(is_of_operations(kWholeNumbers));
  EXPECT_FALSE(is_of_operations(kBytes));
}

}  // namespace
}  // namespace warplens::figures
