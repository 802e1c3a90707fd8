// Matrix descriptors: the 64 bits by which wgmma finds an operand in shared memory. PTX ISA 9.0, section
// 9.7.15.5 "Asynchronous Warpgroup Level Matrix Shared Memory Layout".
//
// A matrix is made of chunks of 16 bytes. Where it is K-major, a chunk is 16 bytes of a row of A or a column
// of B along k; where it is MN-major, of a k along the rows or columns. Eight chunks side by side in the other
// direction are a core matrix. Without a swizzle core matrices lie in 128 bytes each; with one they share rows
// of 32, 64 or 128 bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/tensor/swizzle.hpp"

namespace warplens::tensor {

struct MatrixDescriptor {
  std::uint32_t address = 0;  // bytes; the start of the matrix in shared memory
  std::uint32_t leading = 0;  // bytes; leading dimension byte offset
  std::uint32_t stride = 0;   // bytes; stride dimension byte offset
  std::uint32_t base_offset = 0;
  Swizzle swizzle = Swizzle::none;

  bool operator==(const MatrixDescriptor&) const = default;
  static MatrixDescriptor from(std::uint64_t bits);
  std::uint64_t bits() const;
};

// A field of the 64 bits, for pictures and messages.
struct DescriptorField {
  std::string_view name;
  int first_bit, last_bit;
  int shift;  // the field holds the number less these low bits
};
std::span<const DescriptorField> descriptor_fields();
std::uint64_t field_of(std::uint64_t bits, const DescriptorField& field);  // shifted back

enum class Major : std::uint8_t { k, mn };

// Where the 16 bytes begin that hold the element (row, k): row of A or column of B. bytes: of one element.
// Precondition: the element is the first of its chunk.
std::uint32_t chunk_address(const MatrixDescriptor& descriptor, Major major, std::uint32_t row,
                            std::uint32_t k, std::uint32_t bytes);
// Of any element.
std::uint32_t element_address(const MatrixDescriptor& descriptor, Major major, std::uint32_t row,
                              std::uint32_t k, std::uint32_t bytes);

}  // namespace warplens::tensor
