#include "engine/device/roofline.hpp"

#include <algorithm>

namespace warplens::device {

double Roofline::attainable(double intensity) const {
  if (!(intensity > 0)) return 0;
  return std::min(peak_gflops, memory_gb_per_s * intensity);
}

Result<Roofline> roofline(const Device& device) {
  if (device.sm_count <= 0 || device.boost_clock_mhz <= 0 || device.memory_gb_per_s <= 0)
    return Error{device.id + " is a compute capability, not a chip with a clock and a memory",
                 "choose a chip such as h100 or rtx4090",
                 {}};
  return Roofline{2e-3 * device.sm_count * device.fp32_lanes_per_sm * device.boost_clock_mhz,
                  device.memory_gb_per_s};
}

}  // namespace warplens::device
