#include "engine/problem/own/own_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/problem/elements/element_values.hpp"

namespace warplens::problem {
namespace {

// All elements of an array that has one value.
void add_member(const source::WithinStruct& within, const Argument& value, StructArgument& object) {
  const auto* buffer = std::get_if<BufferArgument>(&value);
  const std::uint64_t each = buffer != nullptr ? 8 : number_of(value).bytes;
  for (std::int64_t i = 0; i < within.count; ++i) {
    StructArgument::Member member{
        static_cast<std::uint64_t>(within.offset + i * static_cast<std::int64_t>(each)), within.written, {}};
    if (buffer != nullptr)
      member.value = *buffer;
    else
      member.value = number_of(value);
    object.members.push_back(std::move(member));
  }
}

// The arguments in the order in which the kernel is declared, those of a struct's members together.
std::vector<Argument> with_structs(const source::KernelSignature& kernel, std::vector<Argument> members) {
  if (kernel.structs.empty()) return members;
  std::vector<Argument> arguments;
  std::size_t next = 0;
  for (const source::StructParameter& own : kernel.structs) {
    while (arguments.size() < own.parameter && next < members.size())
      arguments.push_back(std::move(members[next++]));
    StructArgument object{static_cast<std::uint64_t>(own.bytes), {}};
    for (; next < members.size(); ++next) {
      const auto& within = kernel.parameters[next].within;
      if (!within || within->parameter != own.parameter) break;
      add_member(*within, members[next], object);
    }
    arguments.emplace_back(std::move(object));
  }
  for (; next < members.size(); ++next) arguments.push_back(std::move(members[next]));
  return arguments;
}

Argument argument_for(const OwnShape& shape, const BoundArgument& argument,
                      const std::vector<Buffer>& buffers, const Values& sizes) {
  using What = BoundArgument::What;
  if (argument.what == What::map) return map_argument(shape, argument.index, buffers, sizes);
  if (argument.what == What::buffer)
    return BufferArgument{argument.index, bytes_before(shape, argument.index, sizes)};
  const double value = argument.what == What::size
                           ? static_cast<double>(sizes.at(shape.text.sizes[argument.index].name))
                           : shape.number(shape.text.scalars[argument.index].value.text, sizes);
  return argument_of(element_type(argument.type), value);
}

}  // namespace

std::size_t whole(double value) {
  if (!(value >= 1)) return 0;
  return static_cast<std::size_t>(std::min(value, 0x1p40));
}

std::uint64_t bytes_before(const OwnShape& shape, std::size_t b, const Values& sizes) {
  const std::string& first = shape.text.buffers[b].first.text;
  if (first.empty()) return 0;
  const OwnBuffer& own = shape.buffers[b];
  return whole(shape.number(first, sizes)) * static_cast<std::size_t>(own.parts) * size_in_bytes(own.type);
}

std::vector<Argument> arguments_of(const OwnShape& shape, const std::vector<Buffer>& buffers,
                                   const Values& sizes) {
  std::vector<Argument> arguments;
  for (const BoundArgument& argument : shape.binding.arguments)
    arguments.push_back(argument_for(shape, argument, buffers, sizes));
  return with_structs(shape.kernel, std::move(arguments));
}

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
