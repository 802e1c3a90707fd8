#include "engine/problem/own/own_maps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::problem {
namespace {

tensor::MapType map_type_of(ElementType type) {
  using tensor::MapType;
  switch (type) {
    case ElementType::f32:
      return MapType::f32;
    case ElementType::f64:
      return MapType::f64;
    case ElementType::f16:
      return MapType::f16;
    case ElementType::bf16:
      return MapType::bf16;
    case ElementType::i32:
      return MapType::i32;
    case ElementType::u32:
      return MapType::u32;
    case ElementType::i64:
      return MapType::i64;
    case ElementType::u64:
      return MapType::u64;
    case ElementType::i16:
    case ElementType::u16:
      return MapType::u16;
    default:
      return MapType::u8;
  }
}

std::uint64_t extent_of(double value) {
  return value >= 1 ? static_cast<std::uint64_t>(std::min(value, 0x1p40)) : 0;
}

}  // namespace

TensorMapArgument map_argument(const OwnShape& shape, std::size_t index, const std::vector<Buffer>& buffers,
                               const Values& sizes) {
  const catalog::TensorMapText& text = shape.maps[index];
  const auto found = std::ranges::find(buffers, text.of, &Buffer::name);
  const Buffer& buffer = *found;
  TensorMapArgument argument{.buffer = static_cast<std::size_t>(found - buffers.begin()), .map = {}};
  tensor::TensorMap& map = argument.map;
  map.type = map_type_of(buffer.type);
  map.swizzle = text.swizzle;
  map.dimensions = static_cast<std::uint32_t>(text.box.size());
  std::vector<std::uint64_t> extents{static_cast<std::uint64_t>(buffer.shape.columns),
                                     static_cast<std::uint64_t>(buffer.shape.rows)};
  if (!text.shape.empty()) extents.clear();
  for (const std::string& extent : text.shape) extents.push_back(extent_of(shape.number(extent, sizes)));
  extents.resize(text.box.size(), 1);
  std::uint64_t stride = size_in_bytes(buffer.type);
  for (std::size_t d = 0; d < text.box.size(); ++d) {
    map.box[d] = static_cast<std::uint32_t>(extent_of(shape.number(text.box[d], sizes)));
    map.extent[d] = extents[d];
    map.stride[d] = stride;
    stride *= extents[d];
  }
  return argument;
}

Status accepts_maps(const OwnShape& shape, const Layout& layout) {
  const auto& bound = shape.binding.arguments;
  for (std::size_t a = 0; a < std::min(bound.size(), layout.arguments.size()); ++a) {
    const auto* mapped = std::get_if<TensorMapArgument>(&layout.arguments[a]);
    if (mapped == nullptr) continue;
    auto broken = tensor::broken_rule(mapped->map);
    if (!broken) continue;
    const catalog::TensorMapText& text = shape.maps[bound[a].index];
    broken->message = fmt::format("the tensor map {} of {}: {}", text.name, text.of, broken->message);
    broken->place = {shape.file, text.line, 0};
    return *std::move(broken);
  }
  return Done{};
}

}  // namespace warplens::problem
