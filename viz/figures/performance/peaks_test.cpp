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

// Speeds of floats beside those of whole numbers are all of operations.
TEST(Performance, UnitsOfOperationsStandSideBySide) {
  EXPECT_EQ(common_unit(kFloatingPoint, kFloatingPoint), "GFLOP/s");
  EXPECT_EQ(common_unit(kFloatingPoint, kWholeNumbers), "GOP/s");
  EXPECT_TRUE(is_of_operations(kWholeNumbers));
  EXPECT_FALSE(is_of_operations(kBytes));
}

}  // namespace
}  // namespace warplens::figures
