#include "engine/catalog/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/catalog/near.hpp"

namespace warplens::catalog {
namespace {

class ExpressionTest : public testing::Test {
 protected:
  ExpressionTest() {
    scope_.set("M", 100);
    scope_.set("N", 35);
    scope_.set("TILE", 16);
  }
  double value(std::string_view text) {
    const auto expression = Expression::compile(text, scope_);
    EXPECT_TRUE(expression) << text << ": " << (expression ? "" : to_line(expression.error()));
    return expression ? expression->evaluate() : -12345;
  }
  std::string error(std::string_view text) {
    const auto expression = Expression::compile(text, scope_);
    return expression ? "compiled" : to_line(expression.error());
  }
  Scope scope_;
};

TEST_F(ExpressionTest, ComputesWithWholeAndRealNumbers) {
  EXPECT_EQ(value("ceil_div(M, TILE)"), 7);
  EXPECT_EQ(value("ceil_div(96, TILE)"), 6);
  EXPECT_EQ(value("ceil_div(1, TILE)"), 1);
  EXPECT_EQ(value("floor_div(M, TILE)"), 6);
  EXPECT_EQ(value("floor_div(-1, TILE)"), -1);
  EXPECT_EQ(value("ceil_div(-1, TILE)"), 0);
  EXPECT_EQ(value("round_up(M, TILE)"), 112);
  EXPECT_EQ(value("M % TILE"), 4);
  EXPECT_EQ(value("M%TILE*2"), 8);
  EXPECT_EQ(value("2 + M % TILE"), 6);
  EXPECT_EQ(value("M / TILE"), 6.25);
  EXPECT_EQ(value("min(M, N, TILE) + max(1, N) + abs(-2)"), 53);
  EXPECT_EQ(value("WARP * 1e2"), 3200);
  EXPECT_EQ(value("TILE > 8 ? 3 : 4"), 3);
}

TEST_F(ExpressionTest, Compares) {
  EXPECT_EQ(value("TILE * TILE <= 1024 && M % 4 == 0"), 1);
  EXPECT_EQ(value("TILE*TILE>=1024||M%4!=0"), 0);
  EXPECT_EQ(value("!(TILE == 16)"), 0);
  EXPECT_EQ(value("!0"), 1);
}

TEST_F(ExpressionTest, IsUndefinedWhereAWholeNumberOrADivisorIsMissing) {
  for (const char* text :
       {"ceil_div(M, 0)", "M % 0", "ceil_div(M / 3, 2)", "round_up(0.5, 2)", "1.5 % 1", "!(M % 0)"}) {
    EXPECT_TRUE(std::isnan(value(text))) << text;
  }
  EXPECT_EQ(format_value(value("M % 0")), "undefined");
}

TEST_F(ExpressionTest, RanksAsItAlwaysDid) {
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("2 ^ -1 * 3"), 1.5);
  EXPECT_EQ(value("!TILE == 16"), 0);
  EXPECT_EQ(value("3 > 2 > 1"), 0);
  EXPECT_EQ(value("1 || 1 && 0"), 1);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("M % 0 && 1"), 1);  // undefined is not 0
  EXPECT_EQ(value("1 / 0"), HUGE_VAL);
  EXPECT_EQ(value("-7 % 4"), -3);
  EXPECT_EQ(value("min(TILE)"), 16);
}

TEST_F(ExpressionTest, FollowsTheScope) {
  const auto tiles = Expression::compile("ceil_div(N, TILE)", scope_);
  ASSERT_TRUE(tiles);
  EXPECT_EQ(tiles->evaluate(), 3);
  scope_.set("TILE", 8);
  EXPECT_EQ(tiles->evaluate(), 5);
  EXPECT_EQ(tiles->values_now(), "N is 35 and TILE is 8");
}

TEST_F(ExpressionTest, NamesAreInOrderAndOnce) {
  const auto expression = Expression::compile("TILE + N * TILE + max(M, 2e1) + WARP", scope_);
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"TILE", "N", "M"}));
  EXPECT_TRUE(expression->uses("M"));
  EXPECT_FALSE(expression->uses("WARP"));
}

TEST_F(ExpressionTest, ErrorsAreOneLine) {
  EXPECT_EQ(error("TIEL * 2"), "unknown name TIEL in \"TIEL * 2\"; use one of M, N, TILE");
  EXPECT_EQ(error("sin(M)"),
            "unknown function sin in \"sin(M)\"; use one of ceil_div, floor_div, round_up, min, max, abs");
  EXPECT_EQ(error("TILE = 16"),
            "'=' is not understood at position 6 of \"TILE = 16\"; a single = compares nothing, write ==");
  EXPECT_EQ(error("ceil_div(M)"), "ceil_div has 1 argument in \"ceil_div(M)\"; give it 2");
  EXPECT_EQ(error("min()"), "min has 0 arguments in \"min()\"; give it one or more");
  EXPECT_NE(error("M, N").find("comma"), std::string::npos);
  for (const char* text :
       {"", "TILE *", "(TILE", "TILE)", "TILE TILE", "ceil_div(M)", "ceil_div(M, 2, 3)", "\"a\"", "M ; N",
        "M # N", "1 +* 2", "a b", "_pi", "ceil_div", "M += 1", "TILE == 16 = 3"}) {
    const std::string line = error(text);
    EXPECT_NE(line, "compiled") << text;
    EXPECT_EQ(line.find('\n'), std::string::npos) << text;
  }
}

TEST(NearNames, KnowsSlipsOfTheHand) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("TIEL", "TILE"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("ABC", "abc"), 0u);
  const std::vector<std::string> ids{"matmul/01_naive", "matmul/03_shared_tile", "ncsa/k1"};
  EXPECT_EQ(near_names("matmul/03_shraed_tile", ids), (std::vector<std::string>{"matmul/03_shared_tile"}));
  EXPECT_EQ(near_names("naive", ids), (std::vector<std::string>{"matmul/01_naive"}));
  EXPECT_EQ(near_names("k2", ids), (std::vector<std::string>{"ncsa/k1"}));
  EXPECT_TRUE(near_names("histogram", ids).empty());
  EXPECT_TRUE(near_names("", ids).empty());
}

}  // namespace
}  // namespace warplens::catalog
