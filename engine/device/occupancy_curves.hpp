// The three charts of NVIDIA's occupancy calculator: resident warps as one of a kernel's numbers varies and
// the others stay as they are.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/occupancy.hpp"

namespace warplens::device {

struct OccupancyPoint {
  std::int64_t x = 0;  // threads a block, registers a thread, or shared bytes a block
  int warps_per_sm = 0;
};

// Errors: as occupancy() for the numbers that stay; the one that varies is not looked at.
// x: each multiple of the warp size up to the largest block.
Result<std::vector<OccupancyPoint>> occupancy_by_threads(const Device& device, const ResourceUsage& use);
// x: 1 up to the most registers a thread can name.
Result<std::vector<OccupancyPoint>> occupancy_by_registers(const Device& device, const ResourceUsage& use);
// x: each multiple of the allocation unit from 0 to the most a block may have.
Result<std::vector<OccupancyPoint>> occupancy_by_shared(const Device& device, const ResourceUsage& use);

// The corners of such a curve as a line: threads and bytes are given out in units, so that every number up to
// a point, and above the one a unit before it, takes as much as that point. unit: between two points.
std::vector<OccupancyPoint> corners(const std::vector<OccupancyPoint>& points, std::int64_t unit);

}  // namespace warplens::device
