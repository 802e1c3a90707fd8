// Tensor maps as the driver encodes them for its device.
#pragma once

#include <array>
#include <cstddef>

#include "engine/gpu/driver/driver.hpp"
#include "engine/tensor/tensor_map.hpp"

namespace warplens::gpu {

struct alignas(tensor::kMapAlignment) EncodedMap {
  std::array<std::byte, tensor::kMapBytes> bytes{};
};
// buffer: what the map's address counts from. Errors: a driver without them, a map that it refuses.
Result<EncodedMap> encode_map(const Driver& driver, tensor::TensorMap map, DevicePointer buffer);

}  // namespace warplens::gpu
