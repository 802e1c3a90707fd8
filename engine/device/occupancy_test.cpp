#include "engine/device/occupancy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/device/occupancy_curves.hpp"
#include "engine/device/testing/project_table.hpp"

namespace warplens::device {
namespace {

using ::testing::ElementsAre;

Device device(const char* id) {
  auto table = project_table();
  auto found = table->find(id);
  EXPECT_TRUE(found) << id;
  return found ? *found : Device{};
}
Occupancy of(const Device& d, const ResourceUsage& use) {
  auto result = occupancy(d, use);
  EXPECT_TRUE(result);
  return result ? *result : Occupancy{};
}

// The example of the G80 lectures: 5 KiB of shared memory and 30 registers, "3 due to SMEM, 2 due to RF".
TEST(Occupancy, TheLecturesExample) {
  const Occupancy o = of(device("1.0"), {128, 30, 5 * 1024});
  EXPECT_EQ(o.by_shared, 3);
  EXPECT_EQ(o.by_registers, 2);
  EXPECT_EQ(o.blocks_per_sm, 2);
  EXPECT_EQ(o.warps_per_sm * 32, 256);
  EXPECT_THAT(o.limiters, ElementsAre(Limiter::registers));
}

// "If 512 threads per block: only 1 concurrent block" holds for the 768 threads alone: without the register
// limit (none used, or few enough) one block fits. The 30 registers of the same example are 512 * 30 =
// 15,360, more than the 8,192 that there are, so with them nothing runs.
TEST(Occupancy, TheLecturesLargeBlock) {
  for (const int registers : {0, 16}) {
    const Occupancy o = of(device("1.0"), {512, registers, 5 * 1024});
    EXPECT_EQ(o.blocks_per_sm, 1) << registers;
    EXPECT_EQ(o.by_warps, 1) << registers;
  }
  const ResourceUsage use{512, 30, 5 * 1024};
  const Occupancy o = of(device("1.0"), use);
  EXPECT_EQ(o.blocks_per_sm, 0);
  EXPECT_EQ(o.by_warps, 1);
  EXPECT_EQ(o.by_shared, 3);
  EXPECT_EQ(o.by_registers, 0);
  EXPECT_THAT(o.limiters, ElementsAre(Limiter::registers));
  EXPECT_EQ(allocated_registers(device("1.0"), use), 15'360);
  EXPECT_EQ(device("1.0").registers_per_sm, 8'192);
}

// Register-tuning example of the same course: 256 threads of 10 registers fill the SM, of 11 leave a third
// empty.
TEST(Occupancy, OneRegisterMoreLosesABlockOnG80) {
  EXPECT_EQ(of(device("g80"), {256, 10, 4096}).blocks_per_sm, 3);
  EXPECT_EQ(of(device("g80"), {256, 11, 4096}).blocks_per_sm, 2);
}

TEST(Occupancy, BlockAllocationRoundsWarpsToPairsAndRegistersToUnits) {
  // 96 threads: 3 warps count as 4; 4 * 32 * 9 = 1152 registers, in units of 256: 1280; 8192 / 1280 = 6.
  EXPECT_EQ(of(device("1.0"), {96, 9, 0}).by_registers, 6);
  // Units of 512 on 1.2 and 1.3: 1536; 16384 / 1536 = 10.
  EXPECT_EQ(of(device("1.3"), {96, 9, 0}).by_registers, 10);
  // Shared memory in units of 512 bytes: 513 takes 1024.
  EXPECT_EQ(of(device("1.3"), {32, 1, 513}).by_shared, 16);
}

// What is set aside, times the blocks that a resource allows, fills it but for less than one block.
TEST(Occupancy, SaysWhatIsSetAsideForABlock) {
  EXPECT_EQ(allocated_registers(device("1.0"), {96, 9, 0}), 1280);
  EXPECT_EQ(allocated_shared(device("1.3"), {32, 1, 513}), 1024);
  EXPECT_EQ(allocated_registers(device("h100"), {256, 127, 0}), 8 * 4096);
  EXPECT_EQ(allocated_shared(device("h100"), {256, 127, 8192}), 8192 + 1024);
  for (const char* id : {"1.0", "1.3", "2.0", "3.5", "7.5", "h100"}) {
    const Device d = device(id);
    const ResourceUsage use{96, 20, 5000};
    const Occupancy o = of(d, use);
    EXPECT_EQ(o.by_shared, d.shared_per_sm / allocated_shared(d, use)) << id;
    EXPECT_LE(o.by_registers * allocated_registers(d, use), d.registers_per_sm) << id;
    EXPECT_GT((o.by_registers + 2) * allocated_registers(d, use), d.registers_per_sm) << id;
  }
}

TEST(Occupancy, FermiAllocatesByWarpInUnitsOf64) {
  // 21 * 32 = 672, rounded to 704: 32768 / 704 = 46 warps; blocks of 6 warps: 7.
  const Occupancy o = of(device("2.0"), {192, 21, 0});
  EXPECT_EQ(o.by_registers, 7);
  EXPECT_EQ(o.by_warps, 8);
  EXPECT_THAT(o.limiters, ElementsAre(Limiter::registers));
  EXPECT_EQ(of(device("2.0"), {192, 64, 0}).blocks_per_sm, 0);
  EXPECT_EQ(of(device("2.0"), {192, 20, 49152}).by_shared, 1);
  EXPECT_EQ(of(device("2.0"), {192, 20, 49153}).by_shared, 0);
}

TEST(Occupancy, ASmallerCarveOutHoldsFewerBlocks) {
  Device fermi = device("2.0");
  EXPECT_EQ(of(fermi, {192, 20, 8192}).by_shared, 6);
  fermi.shared_per_sm = fermi.shared_carveouts.front();
  EXPECT_EQ(of(fermi, {192, 20, 8192}).by_shared, 2);
}

TEST(Occupancy, ReservedSharedMemoryCountsFromAmpereOn) {
  EXPECT_EQ(of(device("9.0"), {128, 32, 0}).by_shared, 228);
  EXPECT_EQ(of(device("h100"), {256, 32, 227 * 1024}).by_shared, 1);
  EXPECT_EQ(of(device("h100"), {256, 32, 227 * 1024 + 1}).by_shared, 0);
  EXPECT_EQ(of(device("7.5"), {128, 32, 0}).by_shared, kUnlimitedBlocks);
}

TEST(Occupancy, NamesEveryLimiter) {
  EXPECT_THAT(of(device("9.0"), {64, 32, 0}).limiters,
              ElementsAre(Limiter::warps, Limiter::blocks, Limiter::registers));
  EXPECT_THAT(of(device("9.0"), {2048, 32, 0}).limiters, ElementsAre(Limiter::warps));
  EXPECT_DOUBLE_EQ(of(device("9.0"), {64, 32, 0}).occupancy, 1.0);
}

TEST(Occupancy, WhatNoDeviceCanLaunchIsAnError) {
  const Device d = device("9.0");
  EXPECT_FALSE(occupancy(d, {0, 32, 0}));
  EXPECT_FALSE(occupancy(d, {-1, 32, 0}));
  EXPECT_FALSE(occupancy(d, {32, -1, 0}));
  EXPECT_FALSE(occupancy(d, {32, 32, -1}));
}

TEST(Occupancy, HugeNumbersGiveNoBlock) {
  const int most = std::numeric_limits<int>::max();
  for (const char* id : {"1.0", "2.0", "6.0", "9.0"}) {
    const Occupancy o = of(device(id), {most, most, std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(o.blocks_per_sm, 0);
    EXPECT_THAT(o.limiters, ElementsAre(Limiter::warps, Limiter::registers, Limiter::shared));
  }
}

TEST(Occupancy, SaysWhatABlockMayNotHaveAtAll) {
  EXPECT_EQ(why_no_block(device("h100"), {1025, 16, 0}),
            "1,025 threads are above the 1,024 that a block may have");
  EXPECT_EQ(why_no_block(device("2.0"), {64, 64, 0}), "64 registers are above the 63 that a thread may have");
  EXPECT_EQ(why_no_block(device("1.0"), {64, 10, 16385}),
            "16,385 bytes of shared memory are above the 16,384 that a block may have");
  EXPECT_EQ(why_no_block(device("1.0"), {512, 30, 0}),
            "15,360 registers are above the 8,192 that a block may have");
  EXPECT_EQ(why_no_block(device("1.0"), {512, 16, 16384}), "");
  // What is said here is where the calculator finds no block.
  for (const char* id : {"1.0", "1.3", "2.0", "7.5", "h100"})
    for (const int threads : {32, 512, 513, 1024, 1025})
      for (const int registers : {0, 16, 63, 64, 124, 125, 255, 257})
        for (const std::int64_t shared : {0, 16384, 16385, 49152, 240000}) {
          const ResourceUsage use{threads, registers, shared};
          EXPECT_EQ(why_no_block(device(id), use).empty(), of(device(id), use).blocks_per_sm > 0)
              << id << " " << threads << " " << registers << " " << shared;
        }
}

TEST(OccupancyCurves, PassThroughTheKernelsOwnPoint) {
  for (const char* id : {"1.0", "2.0", "8.6", "h100"}) {
    const Device d = device(id);
    const ResourceUsage use{256, 20, 4096};
    const int here = of(d, use).warps_per_sm;
    const auto threads = occupancy_by_threads(d, use), registers = occupancy_by_registers(d, use),
               shared = occupancy_by_shared(d, use);
    ASSERT_TRUE(threads && registers && shared);
    EXPECT_EQ(threads->size(), static_cast<std::size_t>(d.max_threads_per_block / 32));
    EXPECT_EQ((*threads)[7].x, 256);
    EXPECT_EQ((*threads)[7].warps_per_sm, here);
    EXPECT_EQ(registers->size(), static_cast<std::size_t>(d.max_registers_per_thread));
    EXPECT_EQ((*registers)[19].x, 20);
    EXPECT_EQ((*registers)[19].warps_per_sm, here);
    EXPECT_EQ(shared->front().x, 0);
    EXPECT_EQ(shared->back().x, d.shared_per_block_optin);
    EXPECT_EQ((*shared)[4096 / d.shared_allocation_unit].warps_per_sm, here);
  }
}

// 8,193 to 8,704 bytes leave room for one block of four warps, so the curve is down there from its first
// byte.
TEST(OccupancyCurves, FallWhereTheFirstByteOfAUnitIsAskedFor) {
  const Device d = device("1.0");
  const auto shared = occupancy_by_shared(d, {128, 30, 0});
  ASSERT_TRUE(shared);
  const auto line = corners(*shared, d.shared_allocation_unit);
  const auto at = [&](std::int64_t bytes) {
    for (std::size_t i = 1; i < line.size(); ++i)
      if (line[i - 1].x <= bytes && bytes <= line[i].x && line[i - 1].warps_per_sm == line[i].warps_per_sm)
        return line[i].warps_per_sm;
    return -1;
  };
  EXPECT_EQ(line.front().x, 0);
  for (const std::int64_t bytes : {8192, 8193, 8448, 8704, 16384}) {
    EXPECT_EQ(at(bytes), of(d, {128, 30, bytes}).warps_per_sm) << bytes;
    EXPECT_EQ(at(bytes), bytes <= 8192 ? 8 : 4) << bytes;
  }
}

TEST(OccupancyCurves, MoreRegistersOrSharedMemoryNeverHelp) {
  const ResourceUsage use{192, 20, 2048};
  for (const auto& curve :
       {*occupancy_by_registers(device("8.9"), use), *occupancy_by_shared(device("8.9"), use)})
    for (std::size_t i = 1; i < curve.size(); ++i)
      EXPECT_LE(curve[i].warps_per_sm, curve[i - 1].warps_per_sm);
}

TEST(OccupancyCurves, KeepTheErrorOfWhatStays) {
  EXPECT_FALSE(occupancy_by_registers(device("8.9"), {0, 20, 0}));
  EXPECT_TRUE(occupancy_by_threads(device("8.9"), {0, 20, 0}));
}

}  // namespace
}  // namespace warplens::device
