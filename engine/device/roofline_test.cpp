#include "engine/device/roofline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/device/testing/project_table.hpp"

namespace warplens::device {
namespace {

// Peaks as the vendor states them, in TFLOP/s.
TEST(Roofline, PeaksOfTheDataSheets) {
  const auto table = project_table();
  ASSERT_TRUE(table);
  const std::pair<const char*, double> stated[] = {
      {"h100", 66.9},    {"a100", 19.5},       {"v100", 15.7},    {"rtx4090", 82.6},
      {"rtx3090", 35.6}, {"b200", 75.0},       {"gtx1080", 8.87}, {"gtx480", 1.345},
      {"k40", 5.04},     {"rtx2080ti", 13.45}, {"g80", 0.3456},   {"rtx5090", 104.8}};
  for (const auto& [id, tflops] : stated) {
    const auto roof = roofline(*table->find(id));
    ASSERT_TRUE(roof) << id;
    EXPECT_NEAR(roof->peak_gflops / 1000, tflops, tflops * 0.005) << id;
  }
}

TEST(Roofline, OfWorkWithoutMultiplyAddsIsHalf) {
  const auto table = project_table();
  ASSERT_TRUE(table);
  const auto whole = roofline(*table->find("h100")), half = roofline(*table->find("h100"), false);
  ASSERT_TRUE(whole && half);
  EXPECT_DOUBLE_EQ(2 * half->peak_gflops, whole->peak_gflops);
  EXPECT_EQ(half->memory_gb_per_s, whole->memory_gb_per_s);
  EXPECT_TRUE(whole->multiply_adds);
  EXPECT_FALSE(half->multiply_adds);
}

TEST(Roofline, IsTheLowerOfTheTwoRoofs) {
  const Roofline roof{1000, 100};
  EXPECT_DOUBLE_EQ(roof.ridge(), 10);
  EXPECT_DOUBLE_EQ(roof.attainable(0.25), 25);
  EXPECT_DOUBLE_EQ(roof.attainable(10), 1000);
  EXPECT_DOUBLE_EQ(roof.attainable(1e9), 1000);
  EXPECT_DOUBLE_EQ(roof.attainable(0), 0);
  EXPECT_DOUBLE_EQ(roof.attainable(-1), 0);
  EXPECT_DOUBLE_EQ(roof.attainable(std::nan("")), 0);
}

TEST(Roofline, ABareCapabilityHasNone) {
  const auto table = project_table();
  const auto none = roofline(*table->find("8.6"));
  ASSERT_FALSE(none);
  EXPECT_NE(to_line(none.error()).find("Ampere"), std::string::npos);
}

}  // namespace
}  // namespace warplens::device
