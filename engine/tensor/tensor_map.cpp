#include "engine/tensor/tensor_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/base/text.hpp"

namespace warplens::tensor {
namespace {

struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;
};
constexpr std::array<TypeRow, 10> kTypes{{{"u8", 1},
                                          {"u16", 2},
                                          {"u32", 4},
                                          {"i32", 4},
                                          {"u64", 8},
                                          {"i64", 8},
                                          {"f16", 2},
                                          {"f32", 4},
                                          {"f64", 8},
                                          {"bf16", 2}}};

constexpr std::uint32_t kAlignment = 16, kMostBox = 256;
constexpr std::uint64_t kMostExtent = std::uint64_t{1} << 32, kMostStride = std::uint64_t{1} << 40;

constexpr std::array<char, 8> kMark{'w', 'a', 'r', 'p', 'm', 'a', 'p', '\0'};

// How encode() lays it out.
struct Packed {
  std::array<char, 8> mark = kMark;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostDimensions> stride{};
  std::array<std::uint32_t, kMostDimensions> extent_less_one{};
  std::array<std::uint16_t, kMostDimensions> box{};
  std::uint8_t type = 0, dimensions = 0, swizzle = 0;
};
static_assert(sizeof(Packed) <= kMapBytes);

std::optional<Error> broken_extent(const TensorMap& map) {
  for (std::size_t d = 0; d < map.dimensions; ++d) {
    if (map.extent[d] == 0 || map.extent[d] > kMostExtent)
      return Error{fmt::format("dimension {} of the tensor has {} elements", d, grouped(map.extent[d])),
                   "give it from 1 to 2^32"};
    if (map.box[d] == 0 || map.box[d] > kMostBox)
      return Error{
          fmt::format("the box has {} elements in dimension {}", grouped(std::uint64_t{map.box[d]}), d),
          fmt::format("a box has from 1 to {} in each dimension; copy the rest by another copy", kMostBox)};
  }
  for (std::size_t d = 1; d < map.dimensions; ++d)
    if (map.stride[d] % kAlignment != 0 || map.stride[d] >= kMostStride)
      return Error{fmt::format("rows of {} bytes do not follow each other at multiples of {} bytes",
                               grouped(map.stride[d]), kAlignment),
                   fmt::format("choose sizes whose rows are multiples of {} bytes: {} elements", kAlignment,
                               std::max(1u, kAlignment / size_in_bytes(map.type)))};
  return std::nullopt;
}

}  // namespace

std::uint32_t size_in_bytes(MapType type) { return kTypes[static_cast<std::size_t>(type)].bytes; }
std::string_view name(MapType type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::uint32_t row_bytes(const TensorMap& map) { return map.box[0] * size_in_bytes(map.type); }

std::uint64_t box_rows(const TensorMap& map) {
  std::uint64_t rows = 1;
  for (std::size_t d = 1; d < map.dimensions; ++d) rows *= map.box[d];
  return rows;
}

std::uint64_t box_bytes(const TensorMap& map) { return box_rows(map) * row_bytes(map); }

std::optional<Error> broken_rule(const TensorMap& map) {
  if (map.dimensions == 0 || map.dimensions > kMostDimensions)
    return Error{fmt::format("a tensor of {} dimensions", map.dimensions), "give it from 1 to 5"};
  if (map.address % kAlignment != 0)
    return Error{fmt::format("the tensor does not begin at a multiple of {} bytes", kAlignment),
                 "let the map begin at an aligned element of its buffer"};
  if (auto broken = broken_extent(map)) return broken;
  if (row_bytes(map) % kAlignment != 0)
    return Error{
        fmt::format("a row of the box has {} bytes, which is no multiple of {}", row_bytes(map), kAlignment),
        fmt::format("give the box a multiple of {} elements in its first dimension",
                    std::max(1u, kAlignment / size_in_bytes(map.type)))};
  const SwizzleRow& swizzle = row_of(map.swizzle);
  if (map.swizzle != Swizzle::none && row_bytes(map) > swizzle.span)
    return Error{fmt::format("a row of the box has {} bytes, more than the {} of its swizzle", row_bytes(map),
                             swizzle.span),
                 fmt::format("give the box {} elements in its first dimension, or another swizzle",
                             swizzle.span / size_in_bytes(map.type))};
  return std::nullopt;
}

std::array<std::byte, kMapBytes> encode(const TensorMap& map) {
  Packed packed;
  packed.address = map.address;
  packed.stride = map.stride;
  for (std::size_t d = 0; d < kMostDimensions; ++d) {
    packed.extent_less_one[d] = static_cast<std::uint32_t>(map.extent[d] - 1);
    packed.box[d] = static_cast<std::uint16_t>(map.box[d]);
  }
  packed.type = static_cast<std::uint8_t>(map.type);
  packed.dimensions = static_cast<std::uint8_t>(map.dimensions);
  packed.swizzle = static_cast<std::uint8_t>(map.swizzle);
  std::array<std::byte, kMapBytes> bytes{};
  std::memcpy(bytes.data(), &packed, sizeof packed);
  return bytes;
}

std::optional<TensorMap> decode(std::span<const std::byte> bytes) {
  Packed packed;
  if (bytes.size() < sizeof packed) return std::nullopt;
  std::memcpy(&packed, bytes.data(), sizeof packed);
  if (packed.mark != kMark || packed.dimensions > kMostDimensions || packed.type >= kTypes.size() ||
      packed.swizzle >= kSwizzles.size())
    return std::nullopt;
  TensorMap map{.type = static_cast<MapType>(packed.type),
                .dimensions = packed.dimensions,
                .address = packed.address,
                .stride = packed.stride,
                .swizzle = static_cast<Swizzle>(packed.swizzle)};
  for (std::size_t d = 0; d < kMostDimensions; ++d) {
    map.extent[d] = d < map.dimensions ? std::uint64_t{packed.extent_less_one[d]} + 1 : 0;
    map.box[d] = packed.box[d];
  }
  return map;
}

BoxRow box_row(const TensorMap& map, const Coordinates& at, std::uint64_t row) {
  const std::uint32_t element = size_in_bytes(map.type);
  const auto width = static_cast<std::int64_t>(map.box[0]), start = std::int64_t{at[0]},
             extent = static_cast<std::int64_t>(map.extent[0]);
  BoxRow result;
  result.address = map.address + static_cast<std::uint64_t>(start * element);
  bool inside = true;
  for (std::size_t d = 1; d < map.dimensions; ++d) {
    const std::int64_t place = at[d] + static_cast<std::int64_t>(row % map.box[d]);
    row /= map.box[d];
    inside &= place >= 0 && place < static_cast<std::int64_t>(map.extent[d]);
    result.address += static_cast<std::uint64_t>(place) * map.stride[d];
  }
  if (!inside) return result;
  const std::int64_t first = std::clamp<std::int64_t>(-start, 0, width),
                     last = std::clamp<std::int64_t>(extent - start, first, width);
  result.first = static_cast<std::uint32_t>(first) * element;
  result.last = static_cast<std::uint32_t>(last) * element;
  return result;
}

}  // namespace warplens::tensor
