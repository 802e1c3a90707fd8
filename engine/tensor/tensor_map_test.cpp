#include "engine/tensor/tensor_map.hpp"

#include <gtest/gtest.h>

namespace warplens::tensor {
namespace {

// A row-major matrix of bf16 with boxes of 64 x 64.
TensorMap matrix(std::uint64_t columns = 1000, std::uint64_t rows = 1024) {
  return {.type = MapType::bf16,
          .dimensions = 2,
          .address = 0x7f0000000000,
          .extent = {columns, rows},
          .stride = {2, columns * 2},
          .box = {64, 64},
          .swizzle = Swizzle::b128};
}

TEST(Swizzle, ExchangesChunksByTheNumberOfTheirRow) {
  for (std::uint32_t row = 0; row < 16; ++row)
    for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
      const std::uint32_t at = row * 128 + chunk * 16;
      EXPECT_EQ(swizzled(at, Swizzle::none), at);
      EXPECT_EQ(swizzled(at, Swizzle::b32), row * 128 + (chunk ^ (row & 1)) * 16);
      EXPECT_EQ(swizzled(at, Swizzle::b64), row * 128 + (chunk ^ (row & 3)) * 16);
      EXPECT_EQ(swizzled(at, Swizzle::b128), row * 128 + (chunk ^ (row & 7)) * 16);
      EXPECT_EQ(swizzled(at + 5, Swizzle::b128), swizzled(at, Swizzle::b128) + 5);
    }
}

TEST(TensorMap, IsWhatWasEncoded) {
  const TensorMap map = matrix();
  EXPECT_EQ(decode(encode(map)), map);
  EXPECT_FALSE(decode(std::array<std::byte, kMapBytes>{}));
  EXPECT_EQ(box_bytes(map), 8192u);
  EXPECT_EQ(row_bytes(map), 128u);
  EXPECT_EQ(box_rows(map), 64u);
}

TEST(TensorMap, SaysWhichRuleIsBroken) {
  EXPECT_FALSE(broken_rule(matrix()));
  const auto message = [](auto change) {
    TensorMap map = matrix();
    change(map);
    const auto broken = broken_rule(map);
    return broken ? broken->message : "";
  };
  EXPECT_EQ(message([](TensorMap& m) { m.box[0] = 128; }),
            "a row of the box has 256 bytes, more than the 128 of its swizzle");
  EXPECT_EQ(message([](TensorMap& m) { m.box[0] = 4, m.swizzle = Swizzle::none; }),
            "a row of the box has 8 bytes, which is no multiple of 16");
  EXPECT_EQ(message([](TensorMap& m) { m.box[1] = 512; }), "the box has 512 elements in dimension 1");
  EXPECT_EQ(message([](TensorMap& m) { m.stride[1] = 2004; }),
            "rows of 2,004 bytes do not follow each other at multiples of 16 bytes");
  EXPECT_EQ(message([](TensorMap& m) { m.address += 8; }),
            "the tensor does not begin at a multiple of 16 bytes");
  EXPECT_EQ(message([](TensorMap& m) { m.extent[1] = 0; }), "dimension 1 of the tensor has 0 elements");
  EXPECT_EQ(message([](TensorMap& m) { m.dimensions = 6; }), "a tensor of 6 dimensions");
}

TEST(TensorMap, RowsOfABoxKnowWhatIsInside) {
  const TensorMap map = matrix();
  const BoxRow inside = box_row(map, {64, 10}, 3);
  EXPECT_EQ(inside.address, map.address + 13 * 2000 + 128);
  EXPECT_EQ(inside.first, 0u);
  EXPECT_EQ(inside.last, 128u);
  const BoxRow right = box_row(map, {960, 0}, 0);
  EXPECT_EQ(right.last, 80u);
  const BoxRow left = box_row(map, {-16, 0}, 0);
  EXPECT_EQ(left.first, 32u);
  EXPECT_EQ(left.last, 128u);
  for (const Coordinates& at :
       {Coordinates{0, -1}, Coordinates{0, 1024}, Coordinates{1000, 0}, Coordinates{-64, 0}}) {
    const BoxRow outside = box_row(map, at, 0);
    EXPECT_EQ(outside.first, outside.last) << at[0] << " " << at[1];
  }
}

TEST(TensorMap, HasUpToFiveDimensions) {
  TensorMap map{.type = MapType::f32,
                .dimensions = 5,
                .extent = {8, 3, 4, 5, 6},
                .stride = {4, 32, 96, 384, 1920},
                .box = {4, 2, 1, 2, 2}};
  EXPECT_FALSE(broken_rule(map));
  EXPECT_EQ(box_rows(map), 8u);
  // Row 5 is (1, 0, 0, 1) steps along dimensions 1 to 4.
  EXPECT_EQ(box_row(map, {4, 1, 2, 3, 1}, 5).address, 16u + 2 * 32 + 2 * 96 + 3 * 384 + 2 * 1920);
}

}  // namespace
}  // namespace warplens::tensor
