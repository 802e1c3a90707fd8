#include "engine/analysis/index_expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace warplens::analysis {
namespace {

using ::testing::HasSubstr;

std::int64_t value(std::string_view text, std::int64_t lane = 13, std::int64_t warp = 2) {
  const auto result = evaluate_index(text, {lane, warp});
  EXPECT_TRUE(result) << text << ": " << (result ? "" : to_line(result.error()));
  return result ? *result : -1;
}

// Each expression is C++ too: the compiler says what it must give.
#define EXPECT_AS_IN_C(expression)                                                            \
  for (std::int64_t lane = 0; lane < 32; ++lane) {                                            \
    const std::int64_t warp = 3;                                                              \
    EXPECT_EQ(value(#expression, lane, warp), static_cast<std::int64_t>(expression)) << lane; \
  }                                                                                           \
  static_assert(true)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
TEST(IndexExpression, MeansWhatItMeansInC) {
  EXPECT_AS_IN_C(32 * lane);
  EXPECT_AS_IN_C((lane % 8) * 33 + lane / 8);
  EXPECT_AS_IN_C(lane / 4 * 4 + lane % 4);
  EXPECT_AS_IN_C(lane ^ lane >> 2);
  EXPECT_AS_IN_C((lane * 4) ^ ((lane / 8) & 3));
  EXPECT_AS_IN_C(1 << 2 + lane % 3);
  EXPECT_AS_IN_C(lane & 3 == 3);
  EXPECT_AS_IN_C(lane | 16 ^ 5 & 7);
  EXPECT_AS_IN_C(~lane & 31);
  EXPECT_AS_IN_C(-lane % 7 + 7);
  EXPECT_AS_IN_C(-lane / 2 - -3);
  EXPECT_AS_IN_C(!lane + !!lane);
  EXPECT_AS_IN_C(lane < 16 ? lane : 31 - lane);
  EXPECT_AS_IN_C(lane < 8 ? 1 : lane < 16 ? 2 : lane >= 24 ? 3 : 4);
  EXPECT_AS_IN_C(lane <= 3 || lane != 9 && lane > 20);
  EXPECT_AS_IN_C(lane != 0 ? 96 / lane : 0);
  EXPECT_AS_IN_C(lane != 0 && 96 / lane > 4);
  EXPECT_AS_IN_C(lane == 0 || 96 % lane == 0);
  EXPECT_AS_IN_C(warp * 1024 + lane * 0x20);
  EXPECT_AS_IN_C(0xFFFFFFFF >> lane);
  EXPECT_AS_IN_C(((lane)));
  EXPECT_AS_IN_C(100 - 10 - 1);
  EXPECT_AS_IN_C(100 / 10 / 3 * 2);
}
#pragma GCC diagnostic pop

TEST(IndexExpression, BlanksDoNotMatter) { EXPECT_EQ(value("  32\t* lane+1 "), 417); }

// The error must be at the character `position` (from 1).
std::string error_at(int position, std::string_view text, std::int64_t lane = 13) {
  const auto result = evaluate_index(text, {lane, 0});
  EXPECT_FALSE(result) << text;
  if (result) return "";
  EXPECT_EQ(result.error().place.column, position) << text << ": " << to_line(result.error());
  EXPECT_FALSE(result.error().next_step.empty()) << text;
  return to_line(result.error());
}

TEST(IndexExpression, ErrorsNameTheirPosition) {
  EXPECT_THAT(error_at(1, ""), HasSubstr("the expression is empty"));
  EXPECT_THAT(error_at(4, "32*"), HasSubstr("ends too early at position 4"));
  EXPECT_THAT(error_at(4, "32*)"), HasSubstr("')' is not understood at position 4"));
  EXPECT_THAT(error_at(4, "32*tid"), HasSubstr("unknown name 'tid' at position 4; use lane or warp"));
  EXPECT_THAT(error_at(4, "32 lane"), HasSubstr("'lane' is not understood at position 4"));
  EXPECT_THAT(error_at(1, "(32*lane"), HasSubstr("'(' is not closed"));
  EXPECT_THAT(error_at(9, "32*lane+min(1, 2)"), HasSubstr("unknown function 'min' at position 9"));
  EXPECT_THAT(error_at(10, "32*lane+1.5"), HasSubstr("'.' is not understood"));
}

TEST(IndexExpression, ArithmeticErrorsNameTheLane) {
  EXPECT_THAT(error_at(2, "8/(lane-13)"), HasSubstr("division by zero for lane 13"));
  EXPECT_THAT(error_at(2, "8%(lane-13)"), HasSubstr("division by zero for lane 13"));
  EXPECT_THAT(error_at(2, "1<<64"), HasSubstr("shift by 64"));
  EXPECT_THAT(error_at(2, "1<<-1"), HasSubstr("shift by -1"));
  EXPECT_THAT(error_at(20, "9223372036854775807+1"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(error_at(1, "9223372036854775808"), HasSubstr("is no number"));
  EXPECT_THAT(error_at(25, "(-9223372036854775807-1)/-1"), HasSubstr("/"));
}

TEST(IndexExpression, DeepNestingIsAnErrorNotACrash) {
  EXPECT_FALSE(evaluate_index(std::string(100000, '('), {}));
  EXPECT_FALSE(evaluate_index(std::string(100000, '-') + "1", {}));
  std::string conditions;
  for (int i = 0; i < 100000; ++i) conditions += "1?1:";
  EXPECT_FALSE(evaluate_index(conditions, {}));
  EXPECT_EQ(value(std::string(100, '(') + "lane" + std::string(100, ')')), 13);
}

TEST(IndexExpression, GivesByteOffsets) {
  const auto access = access_at_index("32*lane", AccessOp::load, 4);
  ASSERT_TRUE(access);
  EXPECT_EQ(access->address[31], 31u * 128);
  EXPECT_EQ(access->width, 4);
  EXPECT_EQ(access->active, 0xffffffffu);
  EXPECT_EQ(access_at_index("lane+warp", AccessOp::store, 16, 2u, {.warp = 10})->address[1], 11u * 16);
}

TEST(IndexExpression, RefusesWhatIsNoAddress) {
  EXPECT_THAT(to_line(access_at_index("lane-1", AccessOp::load, 4).error()),
              HasSubstr("the index of lane 0 is -1"));
  EXPECT_TRUE(access_at_index("lane-1", AccessOp::load, 4, 0xfffffffeu));  // lane 0 is off
  EXPECT_THAT(to_line(access_at_index("lane", AccessOp::load, 5).error()), HasSubstr("the width is 5 bytes"));
  EXPECT_THAT(to_line(access_at_index("9223372036854775807", AccessOp::load, 4).error()),
              HasSubstr("too large"));
  EXPECT_THAT(to_line(access_at_index("lane+", AccessOp::load, 4).error()),
              HasSubstr("--index: the expression ends too early at position 6"));
}

TEST(IndexExpression, KnowsTheCallersOwnNames) {
  const std::array<NamedIndex, 2> own = {{{"stride", 33}, {"offset", 2}}};
  EXPECT_EQ(*evaluate_index("lane*stride + offset", {3, 0, own}), 101);
  const auto access =
      access_at_index("stride*lane + warp", AccessOp::load, 4, 0xffffffffu, {0, 5, own}, "index");
  ASSERT_TRUE(access);
  EXPECT_EQ(access->address[2], 4u * 71);
  const auto unknown = evaluate_index("4*pitch", {0, 0, own});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().next_step, "use lane, warp, stride or offset");
  EXPECT_EQ(unknown.error().place.column, 3);
}

}  // namespace
}  // namespace warplens::analysis
