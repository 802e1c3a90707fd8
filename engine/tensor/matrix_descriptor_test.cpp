#include "engine/tensor/matrix_descriptor.hpp"

#include <gtest/gtest.h>

namespace warplens::tensor {
namespace {

TEST(MatrixDescriptor, HasItsFieldsWhereTheIsaHasThem) {
  const MatrixDescriptor descriptor{0x12340, 16, 1024, 3, Swizzle::b128};
  const std::uint64_t bits = descriptor.bits();
  EXPECT_EQ(bits & 0x3fff, 0x1234u);
  EXPECT_EQ(bits >> 16 & 0x3fff, 1u);
  EXPECT_EQ(bits >> 32 & 0x3fff, 64u);
  EXPECT_EQ(bits >> 49 & 7, 3u);
  EXPECT_EQ(bits >> 62, 1u);
  EXPECT_EQ(MatrixDescriptor::from(bits), descriptor);
  for (const SwizzleRow& row : kSwizzles)
    EXPECT_EQ(MatrixDescriptor::from(std::uint64_t{row.in_descriptor} << 62).swizzle, row.swizzle);
  for (const DescriptorField& field : descriptor_fields())
    EXPECT_EQ(field_of(~std::uint64_t{0}, field) >> field.shift,
              (1u << (field.last_bit - field.first_bit + 1)) - 1);
}

// A K-major tile as a tensor copy leaves it: rows of the swizzle's span, of which a product reads 32 bytes.
TEST(MatrixDescriptor, FindsTheTileOfATensorCopy) {
  for (const Swizzle swizzle : {Swizzle::b32, Swizzle::b64, Swizzle::b128}) {
    const std::uint32_t span = row_of(swizzle).span;
    for (std::uint32_t step = 0; step < span / 32; ++step) {
      const MatrixDescriptor descriptor{4096 + step * 32, 16, 8 * span, 0, swizzle};
      for (std::uint32_t row = 0; row < 64; ++row)
        for (std::uint32_t k = 0; k < 16; ++k)
          EXPECT_EQ(element_address(descriptor, Major::k, row, k, 2),
                    swizzled(4096 + row * span + (step * 16 + k) * 2, swizzle))
              << row << " " << k;
    }
  }
}

TEST(MatrixDescriptor, ElementsOfAMatrixDoNotOverlap) {
  const MatrixDescriptor plain{0, 128, 256, 0, Swizzle::none}, turned{0, 2048, 1024, 0, Swizzle::b128};
  std::vector<bool> seen(64 * 1024);
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t k = 0; k < 16; ++k) {
      const std::uint32_t at = element_address(plain, Major::k, row, k, 2);
      EXPECT_FALSE(seen[at]);
      seen[at] = true;
    }
  seen.assign(seen.size(), false);
  for (std::uint32_t row = 0; row < 128; ++row)
    for (std::uint32_t k = 0; k < 16; ++k) {
      const std::uint32_t at = element_address(turned, Major::mn, row, k, 2);
      EXPECT_FALSE(seen[at]) << row << " " << k;
      seen[at] = true;
    }
}

// Off by three rows of 128 bytes: the pattern begins there instead of at a multiple of 1,024.
TEST(MatrixDescriptor, BaseOffsetMovesThePattern) {
  const MatrixDescriptor descriptor{3 * 128, 16, 1024, 3, Swizzle::b128};
  for (std::uint32_t row = 0; row < 8; ++row)
    EXPECT_EQ(chunk_address(descriptor, Major::k, row, 0, 2), (3 + row) * 128 + row * 16);
}

}  // namespace
}  // namespace warplens::tensor
