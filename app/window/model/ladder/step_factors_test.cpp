#include "app/window/model/ladder/step_factors.hpp"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

std::vector<std::string> words(const std::vector<StepAmount>& steps) {
  const auto factors = step_factors(steps);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < steps.size(); ++i) all.push_back(factor_words(factors, i));
  return all;
}
using Words = std::vector<std::string>;

TEST(StepFactors, AreOfTheFirstStep) {
  EXPECT_EQ(words({{"a", 2}, {"a", 1}, {"a", 40}}), (Words{"1×", "0.5×", "20×"}));
}

// No step takes the place of the first one without being named.
TEST(StepFactors, NameTheStepWhereItIsNotTheFirst) {
  EXPECT_EQ(words({{"a", 0}, {"a", 2}, {"a", 3}}), (Words{"", "", "1.5× step 2"}));
  EXPECT_EQ(words({{"a", 7}, {"b", 2}, {"b", 4}, {"c", 5}}), (Words{"1×", "", "2× step 2", ""}));
  EXPECT_EQ(words({{"a", 0}, {"a", 0}}), (Words{"", ""}));
}

// The first one was measured, only not as it is set.
TEST(StepFactors, AreOfTheFirstStepAsItsFileHasIt) {
  EXPECT_EQ(words({{"a", 0, 4}, {"a", 2}}), (Words{"", "0.5×"}));
  EXPECT_EQ(words({{"a", 3, 0}, {"a", 6, 99}}), (Words{"1×", "2×"}));
}

TEST(StepFactors, AStepAloneWithItsProblemIsNotCompared) {
  const auto factors = step_factors(std::vector<StepAmount>{{"a", 7}, {"b", 2}, {"b", 4}, {"c", 5}});
  EXPECT_TRUE(factors[0].is_alone);
  EXPECT_FALSE(factors[1].is_alone);
  EXPECT_TRUE(factors[3].is_alone);
  EXPECT_EQ(factors[2].base, 1u);
}

// A list that goes from 7 GFLOP/s to 2.4 PFLOP/s said "0.000…".
TEST(StepFactors, SpeedsHaveAUnitThatSaysAllOfThem) {
  const auto says = [](const std::vector<double>& speeds) {
    const SpeedUnit unit = speed_unit(speeds, "GFLOP/s");
    std::string all = unit.name;
    for (const double speed : speeds) all += " " + speed_in(unit, speed);
    return all;
  };
  EXPECT_EQ(says({487, 6030, 47700}), "TFLOP/s 0.487 6.03 47.7");
  EXPECT_EQ(says({7, 5000}), "GFLOP/s 7.00 5,000");
  EXPECT_EQ(says({8000, 9270, 17000}), "TFLOP/s 8.00 9.27 17.0");
  EXPECT_EQ(says({0.2, 2.4e6}), "TFLOP/s <0.001 2,400");
  EXPECT_EQ(says({0, 745}), "GFLOP/s <0.001 745");
}

}  // namespace
}  // namespace warplens::app
