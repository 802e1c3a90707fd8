#include "engine/problem/instance_data.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/memory_pages.hpp"
#include "engine/problem/input.hpp"

namespace warplens::problem {

std::size_t size_in_bytes(ElementType type) {
  switch (type) {
    case ElementType::i8:
    case ElementType::u8:
      return 1;
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::i16:
    case ElementType::u16:
      return 2;
    case ElementType::f64:
    case ElementType::i64:
    case ElementType::u64:
      return 8;
    default:
      return 4;
  }
}

ScalarArgument number_of(const Argument& argument) {
  if (const auto* scalar = std::get_if<ScalarArgument>(&argument)) return *scalar;
  return {static_cast<std::uint32_t>(std::get<IntArgument>(argument).value), 4};
}

Verification Instance::verify_all(std::span<const std::span<const std::byte>> contents,
                                  std::span<const std::uint8_t> checked) const {
  const auto output = std::ranges::find_if(buffers(), &Buffer::is_output);
  return verify(contents[static_cast<std::size_t>(output - buffers().begin())], checked);
}

Buffer matrix(std::string name, std::int64_t rows, std::int64_t columns, bool row_major) {
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.elements = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  buffer.shape = {rows, columns, row_major ? columns : rows, row_major};
  return buffer;
}

Buffer output(Buffer buffer) {
  buffer.is_output = true;
  return buffer;
}

std::vector<std::byte> bytes_of(const StructArgument& argument, std::span<const std::uint64_t> addresses) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(argument.bytes));
  for (const StructArgument::Member& member : argument.members) {
    ScalarArgument number{0, sizeof(std::uint64_t)};
    if (const auto* buffer = std::get_if<BufferArgument>(&member.value))
      number.bits = addresses[buffer->buffer] + buffer->offset;
    else
      number = std::get<ScalarArgument>(member.value);
    if (member.offset + number.bytes <= bytes.size())
      std::memcpy(bytes.data() + member.offset, &number.bits, number.bytes);
  }
  return bytes;
}

IntArgument int_argument(std::int64_t value) { return {static_cast<std::int32_t>(value)}; }

InstanceData::InstanceData(Request request)
    : request_(std::move(request)), contents_(std::make_unique<Contents[]>(buffers().size())) {
  for (std::size_t i = 0; i < buffers().size(); ++i) {
    contents_[i].bytes = std::make_unique_for_overwrite<std::byte[]>(bytes_of(buffers()[i]));
  }
}

std::span<const std::byte> InstanceData::initial(std::size_t buffer) const {
  std::call_once(contents_[buffer].made, [&] { fill(buffer); });
  return {contents_[buffer].bytes.get(), bytes_of(buffers()[buffer])};
}

void InstanceData::fill(std::size_t buffer) const {
  const Buffer& what = buffers()[buffer];
  const std::span<std::byte> bytes(contents_[buffer].bytes.get(), bytes_of(what));
  use_large_pages(bytes);
  if (what.is_output && !what.starts_filled) return fill_output(what, bytes);
  if (derive(buffer, bytes)) return;
  std::size_t earlier_inputs = 0;
  for (std::size_t i = 0; i < buffer; ++i) earlier_inputs += !buffers()[i].is_output;
  fill_input(what, earlier_inputs, request_.pattern, request_.seed, bytes);
}

bool InstanceData::derive(std::size_t, std::span<std::byte>) const { return false; }

Verification InstanceData::verify(std::span<const std::byte> output,
                                  std::span<const std::uint8_t> checked) const {
  const Buffer& buffer = *std::ranges::find_if(buffers(), &Buffer::is_output);
  const Verification spans = check_spans(buffer, output, checked);
  return spans.verified ? compare(output, checked).result(buffer) : spans;
}

double InstanceData::least_bytes() const {
  double bytes = 0;
  for (const Buffer& buffer : buffers()) bytes += static_cast<double>(bytes_of(buffer));
  return bytes;
}

std::span<const float> InstanceData::floats(std::size_t buffer) const {
  const auto bytes = initial(buffer);
  // The array was made by new std::byte[], which begins the lifetime of the floats written into it
  // ([intro.object]).
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

}  // namespace warplens::problem
