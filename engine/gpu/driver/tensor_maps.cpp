#include "engine/gpu/driver/tensor_maps.hpp"

namespace warplens::gpu {

Result<EncodedMap> encode_map(const Driver& driver, tensor::TensorMap map, DevicePointer buffer) {
  if (driver.functions().cuTensorMapEncodeTiled == nullptr)
    return Error{"NVIDIA's driver is too old for tensor maps", "install one of CUDA 12.0 or later"};
  map.address += buffer;
  if (auto broken = tensor::broken_rule(map)) return *std::move(broken);
  EncodedMap encoded;
  constexpr std::array<std::uint32_t, tensor::kMostDimensions> kEveryElement{1, 1, 1, 1, 1};
  constexpr int kNoInterleave = 0, kNoPromotion = 0, kZeros = 0;
  // Strides begin with that of dimension 1.
  WARPLENS_GPU_TRY(
      driver, cuTensorMapEncodeTiled(encoded.bytes.data(), static_cast<int>(map.type), map.dimensions,
                                     reinterpret_cast<void*>(map.address), map.extent.data(),
                                     map.stride.data() + 1, map.box.data(), kEveryElement.data(),
                                     kNoInterleave, static_cast<int>(map.swizzle), kNoPromotion, kZeros));
  return encoded;
}

}  // namespace warplens::gpu
