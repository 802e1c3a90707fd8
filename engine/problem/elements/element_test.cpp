// Expressions of elements: what they come to for many elements at once, what they cost, and what is wrong with them.
#include "engine/problem/elements/element_evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "engine/problem/elements/element_values.hpp"

namespace warplens::problem {
namespace {

using ::testing::ElementsAre, ::testing::HasSubstr, ::testing::StartsWith;

const ElementNames kNames{
    .buffers = {{"in", false}, {"A", true}}, .numbers = {"N", "COLUMNS_A"}, .indices = {"i"}};

// Of i = 0 to 5, with N = 6, in[i] = 10 i, which held 1 each before, and A[row, column] = 3 row + column of 2 rows.
std::vector<double> values_of(const std::string& text) {
  const auto expression = ElementExpression::parse(text, kNames);
  EXPECT_TRUE(expression) << to_line(expression.error());
  if (!expression) return {};
  const std::array<double, 2> numbers{6, 3};
  const std::array<double, 6> in{0, 10, 20, 30, 40, 50}, before{1, 1, 1, 1, 1, 1}, matrix{0, 1, 2, 3, 4, 5};
  const auto view = [](const std::array<double, 6>& of, std::int64_t columns) {
    return BufferView{ElementType::f64, reinterpret_cast<const std::byte*>(of.data()), 6, columns};
  };
  const std::array now{view(in, 0), view(matrix, 3)}, old{view(before, 0), view(matrix, 3)};
  ElementValues values;
  const ElementData data{.numbers = numbers, .now = now, .old = old};
  ElementEvaluation(*expression, data).evaluate(0, 0, 6, values);
  return {values.value.begin(), values.value.begin() + 6};
}

std::string why_not(const std::string& text) {
  const auto expression = ElementExpression::parse(text, kNames);
  return expression ? "fine" : to_line(expression.error());
}

TEST(ElementExpression, ReadsElementsNowAndBefore) {
  EXPECT_THAT(values_of("in[i] + 1"), ElementsAre(1, 11, 21, 31, 41, 51));
  EXPECT_THAT(values_of("in[5 - i] - old(in)[i]"), ElementsAre(49, 39, 29, 19, 9, -1));
}

TEST(ElementExpression, AnElementOutsideOfItsBufferIsNothing) {
  EXPECT_THAT(values_of("in[i - 1] + in[i + 1]"), ElementsAre(10, 20, 40, 60, 80, 40));
  EXPECT_THAT(values_of("A[1, i]"), ElementsAre(3, 4, 5, 0, 0, 0));  // not the next row
  EXPECT_THAT(values_of("A[i, 2]"), ElementsAre(2, 5, 0, 0, 0, 0));
}

TEST(ElementExpression, AMatrixHasAPlaceInMemoryToo) {
  EXPECT_THAT(values_of("A[i]"), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ElementExpression, RangesLeaveOutTheirEnd) {
  EXPECT_THAT(values_of("sum(k, 0, i, in[k])"), ElementsAre(0, 0, 10, 30, 60, 100));
  EXPECT_THAT(values_of("product(k, 1, i + 1, k)"), ElementsAre(1, 1, 2, 6, 24, 120));
  EXPECT_THAT(values_of("count(k, 0, N, in[k] < in[i])"), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ElementExpression, SaysWhatIsWrong) {
  EXPECT_THAT(why_not("imn[i]"), StartsWith("unknown name imn in \"imn[i]\"; did you mean in?"));
  EXPECT_THAT(why_not("in"), HasSubstr("in has no index"));
  EXPECT_THAT(why_not("in[i, i]"), HasSubstr("in has 2 indices"));
  EXPECT_THAT(why_not("N[i]"), HasSubstr("N has no elements"));
  EXPECT_THAT(why_not("old(N)[i]"), HasSubstr("old(N) is of no buffer"));
  EXPECT_THAT(why_not("in[i"), HasSubstr("in[i"));
}

// Each element goes on with the sum of the one before it.
TEST(ElementExpression, ARunningSumCostsATermAnElement) {
  const auto sums = ElementExpression::parse("sum(k, 0, i + 1, k)", kNames);
  ASSERT_TRUE(sums) << to_line(sums.error());
  constexpr int elements = 4096 * kLanes;
  ElementBudget budget(2 * elements);  // all terms anew would be half a million times as many
  const std::array<double, 2> numbers{6, 3};
  const std::array<BufferView, 2> none{};
  const ElementData data{.numbers = numbers, .now = none, .old = none, .budget = &budget};
  ElementEvaluation evaluation(*sums, data);
  ElementValues values;
  for (int first = 0; first < elements; first += kLanes) evaluation.evaluate(0, first, kLanes, values);
  EXPECT_FALSE(budget.is_spent());
  EXPECT_EQ(values.value[kLanes - 1], 0.5 * (elements - 1.0) * elements);
}

// 1,000 x 1,000 x 1,000 terms, of which so many may be made.
TEST(ElementExpression, SumsWithinSumsEndWhereTheirBudgetIsSpent) {
  const auto sums = ElementExpression::parse("sum(a, 0, 1000, sum(b, 0, 1000, sum(c, 0, 1000, a + b * c)))",
                                             {.buffers = {}, .numbers = {}, .indices = {"i"}});
  ASSERT_TRUE(sums) << to_line(sums.error());
  ElementValues values;
  ElementBudget little(1'000'000), enough(3'000'000);
  const ElementData few{.numbers = {}, .now = {}, .old = {}, .budget = &little};
  ElementEvaluation(*sums, few).evaluate(0, 0, 1, values);
  EXPECT_TRUE(little.is_spent());
  const auto two = ElementExpression::parse("sum(a, 0, 1000, sum(b, 0, 1000, a + b))",
                                            {.buffers = {}, .numbers = {}, .indices = {"i"}});
  ASSERT_TRUE(two) << to_line(two.error());
  const ElementData all{.numbers = {}, .now = {}, .old = {}, .budget = &enough};
  ElementEvaluation(*two, all).evaluate(0, 0, 1, values);
  EXPECT_FALSE(enough.is_spent());
  EXPECT_EQ(values.value[0], 999e6);
}

// Of a row of 70 columns: values, sizes and terms, tile by tile or element by element.
struct Matrices {
  explicit Matrices(ElementType type) {
    const std::size_t bytes = size_in_bytes(type);
    for (int b = 0; b < 2; ++b) {
      contents[b].resize(70 * 300 * bytes);
      for (std::int64_t i = 0; i < 70 * 300; ++i)
        write_element(type, contents[b].data(), i, b == 0 && i % 97 == 5 ? 0 : std::sin(i * (b + 1.5)) * 100);
      views[b] = {type, contents[b].data(), 70 * 300, 300};
    }
  }
  std::vector<double> row_of(const std::string& check, int row, bool with_tiles, double* terms) const {
    const auto sum = ElementExpression::parse(
        check, {.buffers = {{"A", true}, {"B", true}}, .numbers = {"K"}, .indices = {"row", "column"}});
    EXPECT_TRUE(sum) << to_line(sum.error());
    const std::array<double, 1> numbers{300};
    ElementEvaluation evaluation(*sum, {.numbers = numbers, .now = views, .old = views});
    if (with_tiles) evaluation.make_tiles(0, 1);
    ElementValues values;
    std::vector<double> all;
    for (int at = row; at < row + 3; ++at) {
      evaluation.set_index(0, at);
      evaluation.evaluate(1, 0, 70, values);
      all.insert(all.end(), values.value.begin(), values.value.begin() + 70);
      all.insert(all.end(), values.size.begin(), values.size.begin() + 70);
      all.insert(all.end(), values.carried.begin(), values.carried.begin() + 70);
    }
    *terms = evaluation.most_terms();
    return all;
  }
  std::array<std::vector<std::byte>, 2> contents;
  std::array<BufferView, 2> views;
};

TEST(ElementExpression, SumsOfProductsHaveTheSameBitsInTiles) {
  for (const ElementType type : {ElementType::bf16, ElementType::f16, ElementType::f32, ElementType::i8})
    for (const char* check :
         {"sum(k, 0, K, A[row, k] * B[column, k])", "sum(k, 3, K - 7, B[column, k] * A[row, k])",
          "2 * sum(k, 0, K, A[row, k] * B[k, column]) + 0.5 * old(A)[row, column]",
          "exp(sum(k, 0, K, A[row, k] * B[column, k] ) / 1000000)"})
      for (const int row : {0, 31, 68}) {
        const Matrices matrices(type);
        double terms = 0, plain_terms = 0;
        EXPECT_EQ(matrices.row_of(check, row, true, &terms), matrices.row_of(check, row, false, &plain_terms))
            << check << " from row " << row;
        EXPECT_EQ(terms, plain_terms) << check;
      }
}

// A sum of doubles would be rounded otherwise, one of anything else is none of products.
TEST(ElementExpression, OtherSumsStayAsTheyAre) {
  for (const char* check :
       {"sum(k, 0, K, A[row, k] + B[column, k])", "sum(k, 0, column, A[row, k] * B[column, k])",
        "max(k, 0, K, A[row, k] * B[column, k])", "sum(k, 0, K, A[row, k] * A[row, column])"}) {
    const Matrices matrices(ElementType::f64);
    double terms = 0, plain_terms = 0;
    EXPECT_EQ(matrices.row_of(check, 2, true, &terms), matrices.row_of(check, 2, false, &plain_terms))
        << check;
    EXPECT_EQ(terms, plain_terms) << check;
  }
}

TEST(ElementValues, RoundAsDevicesDo) {
  EXPECT_EQ(as_written(ElementType::f16, 65519), 65504);
  EXPECT_EQ(as_written(ElementType::f16, 65520), INFINITY);
  EXPECT_EQ(as_written(ElementType::f16, 2049), 2048);  // to even
  EXPECT_EQ(as_written(ElementType::f16, 2051), 2052);
  EXPECT_EQ(as_written(ElementType::f16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(as_written(ElementType::f16, 0x1p-25), 0);
  EXPECT_EQ(as_written(ElementType::bf16, 1.00390625), 1);
  EXPECT_EQ(as_written(ElementType::bf16, -1.01171875), -1.015625);
  EXPECT_EQ(as_written(ElementType::u8, 257), 1);
  EXPECT_EQ(as_written(ElementType::i8, -129), 127);
  EXPECT_EQ(as_written(ElementType::i32, 2.9), 2);
  EXPECT_TRUE(std::isnan(as_written(ElementType::f16, NAN)));
  EXPECT_EQ(argument_of(ElementType::f32, 2.5).bits, 0x40200000u);
  EXPECT_EQ(argument_of(ElementType::i64, -1).bytes, 8u);
}

}  // namespace
}  // namespace warplens::problem
