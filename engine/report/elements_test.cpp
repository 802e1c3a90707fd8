#include "engine/report/elements.hpp"

#include <gtest/gtest.h>

namespace warplens::report {
namespace {

constexpr std::uint64_t kA = emulator::kGlobalBase + 256, kB = emulator::kGlobalBase + 8192;

std::vector<PlacedBuffer> buffers() {
  problem::Buffer a, b;
  a.name = "A";
  a.elements = 5 * 12;
  a.shape = {5, 10, 12, true};  // rows of 10, 12 apart
  b.name = "B";
  b.type = problem::ElementType::f64;
  b.elements = 7 * 4;
  b.shape = {7, 4, 7, false};
  return {{a, kA}, {b, kB}};
}

TEST(Elements, RowMajorColumnMajorAndPadding) {
  const auto placed = buffers();
  const auto a = element_at(placed, kA + 4 * (2 * 12 + 3) + 2);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->buffer, 0u);
  EXPECT_EQ(a->index, 27u);
  EXPECT_EQ(a->row, 2);
  EXPECT_EQ(a->column, 3);
  EXPECT_EQ(a->byte, 2u);
  const auto b = element_at(placed, kB + 8 * (3 * 7 + 6));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->buffer, 1u);
  EXPECT_EQ(b->row, 6);
  EXPECT_EQ(b->column, 3);
  EXPECT_FALSE(element_at(placed, kA - 1));
  EXPECT_FALSE(element_at(placed, kA + 4 * 60));
  EXPECT_TRUE(element_at(placed, kA + 4 * 60 - 1));
  EXPECT_FALSE(element_at(placed, kB + 8 * 28));
}

TEST(Elements, OfAnAccess) {
  const auto placed = buffers();
  trace::Access access;
  access.active = 0b101;
  access.address[0] = kA;
  access.address[2] = kA + 48;
  const auto elements = elements_of(placed, access);
  ASSERT_TRUE(elements[0] && elements[2]);
  EXPECT_FALSE(elements[1]);
  EXPECT_EQ(elements[2]->row, 1);
  access.space = ptx::Space::shared;
  EXPECT_FALSE(elements_of(placed, access)[0]);
}

}  // namespace
}  // namespace warplens::report
