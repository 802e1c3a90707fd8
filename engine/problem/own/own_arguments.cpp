#include "engine/problem/own/own_arguments.hpp"

#include <algorithm>

#include "engine/problem/elements/element_values.hpp"
#include "engine/problem/own/own_maps.hpp"

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

}  // namespace warplens::problem
