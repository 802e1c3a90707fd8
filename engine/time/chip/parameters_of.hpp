// The parameters of the model by their names, as assets/devices.toml gives them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/device.hpp"
#include "engine/time/chip/memory_profile.hpp"
#include "engine/time/chip/parameters.hpp"

namespace warplens::time {

std::vector<std::string_view> parameter_names();
// False: there is no parameter of this name.
bool set_parameter(Parameters& parameters, std::string_view name, double value);

using Settings = std::map<std::string, double, std::less<>>;  // by the names of parameters

// What the table says of the device, or `instead`; names that are none are passed over (time_test refuses
// them).
Parameters parameters_of(const device::Device& device, const Settings& instead = {});

Partitions partitions_of(const Parameters& parameters);

// 1.x: no cache stands between global memory and an SM.
inline bool has_caches(const device::Device& device) {
  return device.global_rule != device::GlobalRule::half_warp_strict &&
         device.global_rule != device::GlobalRule::half_warp_segments;
}

// What L2 gives all SMs together, GB/s: Parameters::l2_sectors at the boost clock, where that was fitted; 0
// elsewhere.
double l2_gb_per_s(const device::Device& device);
// What all tensor cores do at the boost clock by the data sheet, of 16-bit operands; 0: not known.
double tensor_gflops(const device::Device& device);

}  // namespace warplens::time
