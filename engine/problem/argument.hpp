// What a launch passes to a kernel, before its buffers have addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/tensor/tensor_map.hpp"

namespace warplens::problem {

// One argument, in the order of the signature: a buffer (of Instance::buffers) from a byte on, or an integer.
struct BufferArgument {
  std::size_t buffer = 0;
  std::uint64_t offset = 0;
};
struct IntArgument {
  std::int32_t value = 0;
};
// Any other number, as the kernel takes it.
struct ScalarArgument {
  std::uint64_t bits = 0;
  std::uint32_t bytes = 4;  // 1, 2, 4 or 8
};
// By which the kernel copies boxes of a buffer; the map's address counts from its first byte.
struct TensorMapArgument {
  std::size_t buffer = 0;
  tensor::TensorMap map;
};
// A struct that the kernel takes by value, from numbers and addresses at bytes of it.
struct StructArgument {
  struct Member {
    std::uint64_t offset = 0;
    std::string name;  // as the kernel writes it: "g.at.x"
    std::variant<ScalarArgument, BufferArgument> value;
  };
  std::uint64_t bytes = 0;
  std::vector<Member> members;
};
using Argument = std::variant<BufferArgument, IntArgument, ScalarArgument, TensorMapArgument, StructArgument>;
ScalarArgument number_of(const Argument& argument);  // Precondition: a number
// Little-endian, as every GPU is. addresses: of the instance's buffers.
std::vector<std::byte> bytes_of(const StructArgument& argument, std::span<const std::uint64_t> addresses);
// Each buffer that an argument passes, as itself or within a struct; name: of a member, else empty.
template <class Use>
void for_each_buffer(const Argument& argument, const Use& use) {
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) use(*buffer, std::string_view());
  if (const auto* object = std::get_if<StructArgument>(&argument))
    for (const StructArgument::Member& member : object->members)
      if (const auto* buffer = std::get_if<BufferArgument>(&member.value))
        use(*buffer, std::string_view(member.name));
}

}  // namespace warplens::problem
