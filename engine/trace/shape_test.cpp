#include "engine/trace/shape.hpp"

#include <gtest/gtest.h>

#include <random>

namespace warplens::trace {
namespace {

Shape shape_of(std::uint32_t active, std::uint32_t pc = 7) {
  Shape shape;
  shape.pc = pc;
  shape.active = active;
  return shape;
}

LaneOffsets strided(std::uint32_t active, std::int64_t stride) {
  LaneOffsets offsets{};
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if ((active >> lane & 1u) != 0)
      offsets[lane] = static_cast<std::uint64_t>(stride) * (lane - first_lane(active));
  return offsets;
}

TEST(ShapeTable, TakesTheShortestForm) {
  ShapeTable table;
  const std::uint32_t affine = table.intern(shape_of(0xffffff00u), strided(0xffffff00u, -1024));
  EXPECT_EQ(table[affine].form, Form::affine);
  EXPECT_EQ(table[affine].stride, -1024);
  EXPECT_EQ(table.bytes_of(affine), sizeof(Shape));

  LaneOffsets bent = strided(0x0000000fu, 4);
  bent[3] = static_cast<std::uint64_t>(-8);
  const std::uint32_t narrow = table.intern(shape_of(0xfu), bent);
  EXPECT_EQ(table[narrow].form, Form::narrow);
  EXPECT_EQ(table.bytes_of(narrow), sizeof(Shape) + 4 * 4);
  EXPECT_EQ(table.offsets(narrow), bent);

  bent[2] = std::uint64_t{1} << 31;  // does not fit a signed word
  const std::uint32_t wide = table.intern(shape_of(0xfu), bent);
  EXPECT_EQ(table[wide].form, Form::wide);
  EXPECT_EQ(table.bytes_of(wide), sizeof(Shape) + 8 * 4);
  EXPECT_EQ(table.offsets(wide), bent);
}

TEST(ShapeTable, KnowsEqualShapesAndOnlyThose) {
  ShapeTable table;
  const std::uint32_t first = table.intern(shape_of(~0u), strided(~0u, 4));
  EXPECT_EQ(table.intern(shape_of(~0u), strided(~0u, 4)), first);
  EXPECT_NE(table.intern(shape_of(~0u), strided(~0u, 8)), first);
  EXPECT_NE(table.intern(shape_of(~0u, 8), strided(~0u, 4)), first);
  EXPECT_NE(table.intern(shape_of(0x7fffffffu), strided(0x7fffffffu, 4)), first);
  Shape other = shape_of(~0u);
  other.width = 8;
  EXPECT_NE(table.intern(other, strided(~0u, 4)), first);
  other = shape_of(~0u);
  other.space = ptx::Space::shared;
  EXPECT_NE(table.intern(other, strided(~0u, 4)), first);
  other = shape_of(~0u);
  other.kind = emulator::AccessKind::store;
  EXPECT_NE(table.intern(other, strided(~0u, 4)), first);
  EXPECT_EQ(table.size(), 7u);
  // One lane has no stride.
  EXPECT_EQ(table.intern(shape_of(16), strided(16, 4)), table.intern(shape_of(16), strided(16, 400)));
}

TEST(ShapeTable, FindsThousandsOfRandomShapesAgainAndCopiesThem) {
  std::mt19937_64 random(3);
  ShapeTable table, copy;
  std::vector<std::pair<Shape, LaneOffsets>> all;
  for (int i = 0; i < 5000; ++i) {
    const auto active = static_cast<std::uint32_t>(random()) | 1u << (random() % 32);
    LaneOffsets offsets{};
    const std::uint64_t range = i % 3 == 0 ? std::uint64_t{1} << 40 : 4096;
    for (std::uint32_t lane = first_lane(active) + 1; lane < 32; ++lane)
      if ((active >> lane & 1u) != 0) offsets[lane] = random() % range - range / 2;
    all.emplace_back(shape_of(active, static_cast<std::uint32_t>(i % 50)), offsets);
    EXPECT_EQ(table.intern(all.back().first, offsets), static_cast<std::uint32_t>(i));
  }
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(table.intern(all[i].first, all[i].second), i);
    ASSERT_EQ(table.offsets(i), all[i].second);
    ASSERT_EQ(copy.intern(table, i), i);
    ASSERT_EQ(copy.offsets(i), all[i].second);
  }
  EXPECT_TRUE(copy == table);
}

}  // namespace
}  // namespace warplens::trace
