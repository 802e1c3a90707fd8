#include "engine/run/arguments.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::run {
namespace {

template <class T>
bool put(std::vector<std::byte>& bytes, const ptx::Parameter& parameter, const T& value) {
  if (parameter.size != sizeof value) return false;
  bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(parameter.offset) + sizeof value));
  std::memcpy(bytes.data() + parameter.offset, &value, sizeof value);
  return true;
}

std::array<std::byte, tensor::kMapBytes> map_on(const problem::TensorMapArgument& argument,
                                                std::span<const emulator::Allocation> places) {
  tensor::TensorMap map = argument.map;
  map.address += places[argument.buffer].address;
  return tensor::encode(map);
}

bool put_struct(std::vector<std::byte>& bytes, const ptx::Parameter& parameter,
                const problem::StructArgument& argument, std::span<const emulator::Allocation> places) {
  if (parameter.size != argument.bytes) return false;
  std::vector<std::uint64_t> addresses;
  for (const emulator::Allocation& place : places) addresses.push_back(place.address);
  const auto own = problem::bytes_of(argument, addresses);
  bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(parameter.offset) + own.size()));
  std::copy(own.begin(), own.end(), bytes.begin() + static_cast<std::ptrdiff_t>(parameter.offset));
  return true;
}

bool put_number(std::vector<std::byte>& bytes, const ptx::Parameter& parameter,
                const problem::ScalarArgument& number) {
  if (parameter.size != number.bytes) return false;
  bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(parameter.offset + number.bytes)));
  std::memcpy(bytes.data() + parameter.offset, &number.bits, number.bytes);  // little-endian, as every GPU
  return true;
}

// The compiler's layout is the right one.
Error other_size(std::size_t place, const ptx::Parameter& parameter,
                 const problem::StructArgument& argument) {
  return {"the struct that parameter " + std::to_string(place + 1) + " of the kernel passes by value has " +
              std::to_string(parameter.size) + " bytes, and " + std::to_string(argument.bytes) +
              " as its members are read here",
          "pass its members as parameters of their own"};
}

}  // namespace

Result<std::vector<std::byte>> argument_bytes(std::span<const problem::Argument> arguments,
                                              const ptx::Function& function,
                                              std::span<const emulator::Allocation> places,
                                              std::optional<std::uint64_t> extra) {
  const auto& parameters = function.parameters;
  const std::size_t wanted = arguments.size() + (extra ? 1 : 0);
  const Error mismatch{"the kernel has " + std::to_string(parameters.size()) +
                           (parameters.size() == 1 ? " parameter" : " parameters") +
                           " where its problem passes " + std::to_string(wanted) +
                           ", or parameters of other types",
                       "declare the kernel with the signature of its problem, which 'warplens list' shows"};
  if (parameters.size() != wanted) return mismatch;
  std::vector<std::byte> bytes;
  bool fit = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const auto* object = std::get_if<problem::StructArgument>(&arguments[i])) {
      if (!put_struct(bytes, parameters[i], *object, places)) return other_size(i, parameters[i], *object);
      continue;
    }
    if (const auto* mapped = std::get_if<problem::TensorMapArgument>(&arguments[i]))
      fit &= put(bytes, parameters[i], map_on(*mapped, places));
    else if (const auto* buffer = std::get_if<problem::BufferArgument>(&arguments[i]))
      fit &= put(bytes, parameters[i], places[buffer->buffer].address + buffer->offset);
    else
      fit &= put_number(bytes, parameters[i], problem::number_of(arguments[i]));
  }
  if (extra) fit &= put(bytes, parameters.back(), *extra);
  if (!fit) return mismatch;
  return bytes;
}

std::vector<std::uint64_t> buffer_bytes(const problem::Instance& instance) {
  std::vector<std::uint64_t> bytes;
  for (const problem::Argument& argument : instance.arguments()) {
    const auto* buffer = std::get_if<problem::BufferArgument>(&argument);
    bytes.push_back(buffer == nullptr ? 0 : instance.initial(buffer->buffer).size());
  }
  return bytes;
}

bool is_cooperative(std::string_view ptx) { return ptx.find("%envreg2") != std::string_view::npos; }

}  // namespace warplens::run
