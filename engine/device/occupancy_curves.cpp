#include "engine/device/occupancy_curves.hpp"

namespace warplens::device {
namespace {

// Walks x from first to last and lets set put it into the kernel's use.
template <class Set>
Result<std::vector<OccupancyPoint>> curve(const Device& device, ResourceUsage use, std::int64_t first,
                                          std::int64_t last, std::int64_t step, Set set) {
  std::vector<OccupancyPoint> points;
  points.reserve(static_cast<std::size_t>((last - first) / step + 1));
  for (std::int64_t x = first; x <= last; x += step) {
    set(use, x);
    const auto result = occupancy(device, use);
    if (!result) return result.error();
    points.push_back({x, result->warps_per_sm});
  }
  return points;
}

}  // namespace

Result<std::vector<OccupancyPoint>> occupancy_by_threads(const Device& device, const ResourceUsage& use) {
  return curve(device, use, device.warp_size, device.max_threads_per_block, device.warp_size,
               [](ResourceUsage& u, std::int64_t x) { u.threads_per_block = static_cast<int>(x); });
}

Result<std::vector<OccupancyPoint>> occupancy_by_registers(const Device& device, const ResourceUsage& use) {
  return curve(device, use, 1, device.max_registers_per_thread, 1,
               [](ResourceUsage& u, std::int64_t x) { u.registers_per_thread = static_cast<int>(x); });
}

Result<std::vector<OccupancyPoint>> occupancy_by_shared(const Device& device, const ResourceUsage& use) {
  return curve(device, use, 0, device.shared_per_block_optin, device.shared_allocation_unit,
               [](ResourceUsage& u, std::int64_t x) { u.shared_bytes_per_block = x; });
}

std::vector<OccupancyPoint> corners(const std::vector<OccupancyPoint>& points, std::int64_t unit) {
  std::vector<OccupancyPoint> corners;
  for (const OccupancyPoint& point : points) {
    if (unit > 1 && point.x > 0) corners.push_back({point.x - unit + 1, point.warps_per_sm});
    corners.push_back(point);
  }
  return corners;
}

}  // namespace warplens::device
