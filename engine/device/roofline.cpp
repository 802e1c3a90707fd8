#include "engine/device/roofline.hpp"

#include <algorithm>

namespace warplens::device {

double Roofline::attainable(double intensity) const {
  if (!(intensity > 0)) return 0;
  return std::min(peak_gflops, memory_gb_per_s * intensity);
}

Result<Roofline> roofline(const Device& device, bool multiply_adds) {
  if (device.sm_count <= 0 || device.boost_clock_mhz <= 0 || device.memory_gb_per_s <= 0)
    return Error{device.name + " is a compute capability, not a GPU with a clock and a memory",
                 "choose a GPU such as h100 or rtx4090",
                 {}};
  const double an_operation_a_lane =
      1e-3 * device.sm_count * device.fp32_lanes_per_sm * device.boost_clock_mhz;
  return Roofline{(multiply_adds ? 2 : 1) * an_operation_a_lane, device.memory_gb_per_s, multiply_adds,
                  device.sm_count};
}

}  // namespace warplens::device
