#include "engine/explain/claims/claims.hpp"

#include <gtest/gtest.h>

#include "engine/explain/claims/quantity.hpp"

namespace warplens::explain {
namespace {

TEST(Claims, ASentenceIsMadeOfItsClaims) {
  const Said said = say("{} where {} would do: {} of {}",
                        {claim::amount(Quantity::sectors, 32), claim::number(Quantity::least_sectors, 4),
                         claim::every("each row", Quantity::distinct_elements, 1), claim::name("A2")});
  EXPECT_EQ(said.text, "32 sectors where 4 would do: each row of A2");
  ASSERT_EQ(said.claims.size(), 4u);
  EXPECT_EQ(said.claims[0].unit(), "sector");
  EXPECT_EQ(said.claims[2].kind, ClaimKind::every);
  EXPECT_EQ(name_of(said.claims[3].kind), "name");
}

TEST(Claims, WordsFollowTheNumber) {
  EXPECT_EQ(claim::amount(Quantity::sectors, 1).shown, "1 sector");
  EXPECT_EQ(claim::amount(Quantity::distance_bytes, -2048).shown, "2,048 bytes");
  EXPECT_EQ(claim::number(Quantity::instructions, 1818.7).shown, "1,819");
  EXPECT_EQ(row_of(Quantity::error_in_ulp).name, "error in ulp");
}

}  // namespace
}  // namespace warplens::explain
