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

TEST(Roofline, TheLongestTimeBinds) {
  const Roofline roof{.peak_gflops = 1000,
                      .memory_gb_per_s = 100,
                      .multiprocessors = 10,
                      .l1_gb_per_s = 400,
                      .shared_giga_per_s = 4,
                      .l2_bytes = 1e9};
  const Work work{.operations = 1e12, .sector_bytes = 1e12, .wavefronts = 8e9, .least_bytes = 51e9};
  const auto times = least_times(roof, work);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[0].roof, Roof::l1);
  EXPECT_DOUBLE_EQ(times[0].seconds, 2.5);
  EXPECT_EQ(times[1].roof, Roof::shared);
  EXPECT_DOUBLE_EQ(times[1].seconds, 2);
  EXPECT_EQ(times[2].roof, Roof::arithmetic);
  EXPECT_DOUBLE_EQ(times[2].seconds, 1);
  EXPECT_EQ(times[3].roof, Roof::memory);
  EXPECT_DOUBLE_EQ(times[3].seconds, 0.5);  // 50 GB: L2 may have kept the rest
}

TEST(Roofline, OnlyMultiprocessorsWithABlockWork) {
  const Roofline roof{.peak_gflops = 1000, .memory_gb_per_s = 100, .multiprocessors = 10};
  EXPECT_DOUBLE_EQ(least_times(roof, {.operations = 1e12, .blocks = 10})[0].seconds, 1);
  EXPECT_DOUBLE_EQ(least_times(roof, {.operations = 1e12, .blocks = 2})[0].seconds, 5);
  EXPECT_DOUBLE_EQ(least_times(roof, {.least_bytes = 1e11, .blocks = 2})[0].seconds, 1);
}

TEST(Roofline, WhatFitsIntoL2NeedNotComeFromMemory) {
  const Roofline roof{.peak_gflops = 1, .memory_gb_per_s = 1, .l2_bytes = 100};
  EXPECT_EQ(memory_bytes(roof, {.least_bytes = 99}), 0);
  EXPECT_EQ(memory_bytes(roof, {.least_bytes = 30, .share = 0.25}), 5);
  EXPECT_TRUE(least_times(roof, {.least_bytes = 99}).empty());
}

// On 1.x every sector comes from memory.
TEST(Roofline, OldDevicesHaveNoCaches) {
  const auto table = project_table();
  ASSERT_TRUE(table);
  const auto old = roofline(*table->find("gtx280")), fermi = roofline(*table->find("gtx480"));
  ASSERT_TRUE(old && fermi);
  EXPECT_FALSE(old->caches);
  EXPECT_TRUE(fermi->caches);
  EXPECT_EQ(old->l1_gb_per_s, 0);
  EXPECT_EQ(memory_bytes(*old, {.sector_bytes = 64, .least_bytes = 8}), 64);
  // Half a turn of 16 banks of 4 bytes a clock, on 30 SMs of 1296 MHz.
  EXPECT_NEAR(old->shared_giga_per_s * old->wavefront_bytes, 0.5 * 64 * 30 * 1.296, 1e-9);
}

TEST(Roofline, L1GivesWhatItsBanksDo) {
  const auto table = project_table();
  ASSERT_TRUE(table);
  const auto roof = roofline(*table->find("h100"));
  ASSERT_TRUE(roof);
  EXPECT_NEAR(roof->l1_gb_per_s, 128 * 132 * 1.98, 1e-6);
  EXPECT_NEAR(roof->shared_giga_per_s * roof->wavefront_bytes, roof->l1_gb_per_s, 1e-6);
}

TEST(Roofline, ABareCapabilityHasNone) {
  const auto table = project_table();
  const auto none = roofline(*table->find("8.6"));
  ASSERT_FALSE(none);
  EXPECT_NE(to_line(none.error()).find("Ampere"), std::string::npos);
}

}  // namespace
}  // namespace warplens::device
