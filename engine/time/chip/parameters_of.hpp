// The parameters of the model by their names, as assets/devices.toml gives those in which a chip differs.
#pragma once

#include <string_view>

#include "engine/device/device.hpp"
#include "engine/time/chip/memory_profile.hpp"
#include "engine/time/chip/parameters.hpp"

namespace warplens::time {

// False: there is no parameter of this name.
bool set_parameter(Parameters& parameters, std::string_view name, double value);

// `common` with what the device's row says; names that are none are passed over (time_test refuses them).
Parameters parameters_of(const device::Device& device, Parameters common = {});

Partitions partitions_of(const Parameters& parameters);

// 1.x: no cache stands between global memory and an SM.
inline bool has_caches(const device::Device& device) {
  return device.global_rule != device::GlobalRule::half_warp_strict &&
         device.global_rule != device::GlobalRule::half_warp_segments;
}

// What L2 gives all SMs together, GB/s: Parameters::l2_sectors at the boost clock, where that was fitted or
// is the device's own; 0 elsewhere.
double l2_gb_per_s(const device::Device& device);

}  // namespace warplens::time
