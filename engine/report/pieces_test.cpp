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

}  // namespace
}  // namespace warplens::report
