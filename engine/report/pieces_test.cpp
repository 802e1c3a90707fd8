#include "engine/report/pieces.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/testing/test_support.hpp"

namespace warplens::report {
namespace {

TEST(Pieces, LocalMemoryIsInterleaved) {
  trace::Access access;
  access.space = ptx::Space::local;
  access.active = ~0u;
  for (auto& address : access.address) address = 8;  // every lane the third word of its own array
  const AccessPieces pieces = access_pieces(access, {}, analysis::device_of("h100"));
  EXPECT_EQ(pieces.units, 4);
  EXPECT_EQ(pieces.ideal, 4);
  ASSERT_EQ(pieces.global.sectors.size(), 4u);
  EXPECT_EQ(pieces.global.sectors[1].lanes, 0x0000ff00u);
  EXPECT_EQ(pieces.global.sectors[1].used, ~0u);
}

TEST(Pieces, ConstantMemoryGivesOneWordATurn) {
  trace::Access access;
  access.space = ptx::Space::constant;
  access.active = ~0u;
  access.width = 4;
  for (std::size_t lane = 0; lane < 32; ++lane) access.address[lane] = 4096 + 4 * (lane % 8);
  AccessPieces pieces = access_pieces(access, {}, analysis::device_of("h100"));
  EXPECT_EQ(pieces.units, 8) << "not the one sector in which they lie";
  EXPECT_EQ(pieces.ideal, 1);
  ASSERT_EQ(pieces.turns.size(), 8u);
  EXPECT_EQ(pieces.turns[1], 0x02020202u);
  for (auto& address : access.address) address = 4096;
  pieces = access_pieces(access, {}, analysis::device_of("h100"));
  EXPECT_EQ(pieces.units, 1);
  EXPECT_EQ(pieces.turns, std::vector<std::uint32_t>{~0u});
}

}  // namespace
}  // namespace warplens::report
