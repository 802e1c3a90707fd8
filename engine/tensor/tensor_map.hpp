// Tensor maps (CUtensorMap): what the tensor memory accelerator is told of a matrix in global memory and of
// the box that one copy brings. Dimensions count from the innermost one. NVIDIA, CUDA Driver API,
// cuTensorMapEncodeTiled, has the rules; PTX ISA 9.0, section 5.5 "Tensors", the modes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/tensor/swizzle.hpp"

namespace warplens::tensor {

inline constexpr std::size_t kMostDimensions = 5, kMapBytes = 128, kMapAlignment = 64;

// Those of CUtensorMapDataType that are whole bytes, by its numbers.
enum class MapType : std::uint8_t { u8, u16, u32, i32, u64, i64, f16, f32, f64, bf16 };
std::uint32_t size_in_bytes(MapType type);
std::string_view name(MapType type);  // "bf16"

struct TensorMap {
  MapType type = MapType::bf16;
  std::uint32_t dimensions = 2;
  std::uint64_t address = 0;                            // of element 0 in global memory
  std::array<std::uint64_t, kMostDimensions> extent{};  // elements
  std::array<std::uint64_t, kMostDimensions> stride{};  // bytes; that of dimension 0 is an element's size
  std::array<std::uint32_t, kMostDimensions> box{};     // elements that one copy brings
  Swizzle swizzle = Swizzle::none;

  bool operator==(const TensorMap&) const = default;
};

// The rule of cuTensorMapEncodeTiled that a map breaks; nothing: none.
std::optional<Error> broken_rule(const TensorMap& map);

// As the emulated device has it, in the place of the driver's 128 bytes. decode: nothing where the bytes are
// no map.
std::array<std::byte, kMapBytes> encode(const TensorMap& map);
std::optional<TensorMap> decode(std::span<const std::byte> bytes);

std::uint64_t box_bytes(const TensorMap& map);
std::uint32_t row_bytes(const TensorMap& map);  // of the innermost dimension of the box
std::uint64_t box_rows(const TensorMap& map);   // box_bytes / row_bytes

using Coordinates = std::array<std::int32_t, kMostDimensions>;
// One row of a box at these coordinates of its first element.
struct BoxRow {
  std::uint64_t address = 0;          // where its first element is or would be, modulo 2^64
  std::uint32_t first = 0, last = 0;  // its bytes [first, last) are inside of the tensor
};
BoxRow box_row(const TensorMap& map, const Coordinates& at, std::uint64_t row);

}  // namespace warplens::tensor
