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
  const double giga_clocks = 1e-3 * device.sm_count * device.boost_clock_mhz;  // a second, of all SMs
  constexpr int first_with_caches = 20;
  return Roofline{.peak_gflops = (multiply_adds ? 2 : 1) * giga_clocks * device.fp32_lanes_per_sm,
                  .memory_gb_per_s = device.memory_gb_per_s,
                  .multiply_adds = multiply_adds,
                  .multiprocessors = device.sm_count,
                  .l1_gb_per_s = giga_clocks * device.l1_bytes_per_clock,
                  .shared_giga_per_s = giga_clocks * device.shared_wavefronts_per_clock,
                  .wavefront_bytes = 4.0 * device.shared_banks,
                  .caches = device.compute_capability >= first_with_caches,
                  .l2_bytes = static_cast<double>(device.l2_bytes)};
}

std::string_view to_string(Roof roof) {
  switch (roof) {
    case Roof::arithmetic:
      return "arithmetic";
    case Roof::tensor:
      return "tensor cores";
    case Roof::memory:
      return "memory";
    case Roof::l1:
      return "L1";
    case Roof::shared:
      break;
  }
  return "shared memory";
}

double memory_bytes(const Roofline& roofline, const Work& work) {
  if (!roofline.caches) return work.sector_bytes;
  return std::max(0.0, work.least_bytes - roofline.l2_bytes * work.share);
}

double busy_share(const Roofline& roofline, const Work& work) {
  if (work.blocks == 0 || roofline.multiprocessors <= 0) return 1;
  return std::min(1.0, static_cast<double>(work.blocks) / roofline.multiprocessors);
}

std::vector<RoofTime> least_times(const Roofline& roofline, const Work& work) {
  const double busy = busy_share(roofline, work);
  std::vector<RoofTime> times;
  const auto add = [&](Roof roof, double amount, double giga_per_s) {
    if (amount > 0 && giga_per_s > 0) times.push_back({roof, 1e-9 * amount / giga_per_s});
  };
  add(Roof::arithmetic, work.operations, roofline.peak_gflops * busy);
  add(Roof::tensor, work.tensor_operations, roofline.tensor_gflops * busy);
  add(Roof::memory, memory_bytes(roofline, work), roofline.memory_gb_per_s);
  if (roofline.caches) add(Roof::l1, work.sector_bytes, roofline.l1_gb_per_s * busy);
  add(Roof::shared, work.wavefronts, roofline.shared_giga_per_s * busy);
  std::ranges::stable_sort(times, std::ranges::greater(), &RoofTime::seconds);
  return times;
}

}  // namespace warplens::device
