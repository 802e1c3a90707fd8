// NVIDIA's occupancy calculator: three curves with the kernel's own point, and what each resource allows.
#pragma once

#include <optional>

#include "engine/device/occupancy.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

struct OccupancyInput {
  device::Device device;
  device::KernelUse use;
  std::string title;  // where the numbers come from
  // The kernel's own numbers where `use` has others, set by hand: those are marked wherever they appear.
  std::optional<device::KernelUse> kernel = {};
};

Result<scene::Scene> occupancy_scene(const OccupancyInput& input, scene::Size size,
                                     const scene::TextMeasure& measure);

// Rows "varied,x,warps_per_sm" of the three curves.
Result<std::string> occupancy_csv(const OccupancyInput& input);

}  // namespace warplens::figures
