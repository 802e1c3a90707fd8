#include "engine/tensor/matrix_descriptor.hpp"

#include <algorithm>
#include <array>

namespace warplens::tensor {
namespace {

constexpr std::array<DescriptorField, 5> kFields{{{"start address", 0, 13, 4},
                                                  {"leading dimension byte offset", 16, 29, 4},
                                                  {"stride dimension byte offset", 32, 45, 4},
                                                  {"base offset", 49, 51, 0},
                                                  {"swizzle", 62, 63, 0}}};
enum : std::size_t { kStart, kLeading, kStride, kBase, kSwizzle };

std::uint64_t with_field(const DescriptorField& field, std::uint64_t value) {
  const std::uint64_t mask = (std::uint64_t{1} << (field.last_bit - field.first_bit + 1)) - 1;
  return (value >> field.shift & mask) << field.first_bit;
}

Swizzle swizzle_of(std::uint64_t in_descriptor) {
  const auto found = std::ranges::find(kSwizzles, in_descriptor, &SwizzleRow::in_descriptor);
  return found->swizzle;
}

}  // namespace

std::span<const DescriptorField> descriptor_fields() { return kFields; }

std::uint64_t field_of(std::uint64_t bits, const DescriptorField& field) {
  const std::uint64_t mask = (std::uint64_t{1} << (field.last_bit - field.first_bit + 1)) - 1;
  return (bits >> field.first_bit & mask) << field.shift;
}

MatrixDescriptor MatrixDescriptor::from(std::uint64_t bits) {
  const auto number = [&](std::size_t field) {
    return static_cast<std::uint32_t>(field_of(bits, kFields[field]));
  };
  return {number(kStart), number(kLeading), number(kStride), number(kBase),
          swizzle_of(field_of(bits, kFields[kSwizzle]))};
}

std::uint64_t MatrixDescriptor::bits() const {
  return with_field(kFields[kStart], address) | with_field(kFields[kLeading], leading) |
         with_field(kFields[kStride], stride) | with_field(kFields[kBase], base_offset) |
         with_field(kFields[kSwizzle], row_of(swizzle).in_descriptor);
}

// The canonical layouts, in bytes. With a swizzle a row of `span` bytes holds span / 16 chunks side by side:
// K-major   eight rows of span bytes, the next eight `stride` further on
// MN-major  eight k of span bytes, the next eight `stride` further on; the next span along mn `leading`
// Without one
// K-major   the next chunk along k is `leading` further on, the next eight rows `stride`
// MN-major  the next chunk along mn is `stride` further on, the next eight k `leading`
std::uint32_t chunk_address(const MatrixDescriptor& d, Major major, std::uint32_t row, std::uint32_t k,
                            std::uint32_t bytes) {
  const std::uint32_t span = row_of(d.swizzle).span, per_chunk = kChunkBytes / bytes;
  const bool plain = d.swizzle == Swizzle::none;
  const std::uint32_t along = (major == Major::k ? k : row) / per_chunk, across = major == Major::k ? row : k;
  const std::uint32_t chunks = span / kChunkBytes;  // of a row of the swizzle
  std::uint32_t address = d.address + across % 8 * span + along % chunks * kChunkBytes;
  if (plain)
    address += along * (major == Major::k ? d.leading : d.stride) +
               across / 8 * (major == Major::k ? d.stride : d.leading);
  else
    address += across / 8 * d.stride + along / chunks * d.leading;
  return swizzled(address, d.swizzle, d.base_offset);
}

std::uint32_t element_address(const MatrixDescriptor& d, Major major, std::uint32_t row, std::uint32_t k,
                              std::uint32_t bytes) {
  const std::uint32_t per_chunk = kChunkBytes / bytes;
  std::uint32_t& along = major == Major::k ? k : row;
  const std::uint32_t within = along % per_chunk;
  along -= within;
  return chunk_address(d, major, row, k, bytes) + within * bytes;
}

}  // namespace warplens::tensor
