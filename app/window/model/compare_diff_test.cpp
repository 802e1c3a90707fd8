#include "app/window/model/compare_diff.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace warplens::app {
namespace {

using Kind = DiffRow::Kind;
using Texts = std::vector<std::string_view>;

// "=" same, "~" changed, "<" left only, ">" right only.
std::string kinds(const std::vector<DiffRow>& rows) {
  std::string text;
  for (const DiffRow& row : rows) text += "=~<>"[static_cast<int>(row.kind)];
  return text;
}

TEST(CompareDiff, SameTextsAreTheSame) {
  const Texts text = {"a", "", "b"};
  EXPECT_EQ(kinds(diff_lines(text, text)), "===");
  EXPECT_TRUE(diff_lines({}, {}).empty());
}

TEST(CompareDiff, LinesThatOnlyOneSideHas) {
  EXPECT_EQ(kinds(diff_lines(Texts{"a", "b"}, Texts{"a", "new", "b"})), "=>=");
  EXPECT_EQ(kinds(diff_lines(Texts{"a", "old", "b"}, Texts{"a", "b"})), "=<=");
  EXPECT_EQ(kinds(diff_lines(Texts{}, Texts{"a", "b"})), ">>");
  EXPECT_EQ(kinds(diff_lines(Texts{"a", "b"}, Texts{})), "<<");
}

TEST(CompareDiff, AChangedLineMarksItsWords) {
  const auto rows = diff_lines(Texts{"{", "  sum += A[row * K + k] * B[k * N + column];", "}"},
                               Texts{"{", "  __shared__ float tile[TILE][TILE];", "}"});
  ASSERT_EQ(kinds(rows), "=<>=");  // less than half of the words are the same: not the same line
  const auto near = diff_lines(Texts{"  const int row = blockIdx.x * BLOCK_X + threadIdx.x;"},
                               Texts{"  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;"});
  ASSERT_EQ(kinds(near), "~");
  ASSERT_EQ(near[0].left_words.size(), 3u);
  EXPECT_EQ(near[0].left_words[0], (TextSpan{27, 28}));
  EXPECT_EQ(near[0].right_words, near[0].left_words);
}

TEST(CompareDiff, NeighbouringWordsAreOneMark) {
  const auto rows =
      diff_lines(Texts{"for (int k = 0; k < K; ++k)"}, Texts{"for (int k = 0; k < K; k += TILE)"});
  ASSERT_EQ(kinds(rows), "~");
  ASSERT_EQ(rows[0].right_words.size(), 1u);
  EXPECT_EQ(rows[0].right_words[0].end, 32u);
}

TEST(CompareDiff, BlankLinesDoNotPullTextApart) {
  const Texts left = {"", "", "", "body();"};
  const Texts right = {"body();", "", "", ""};
  const auto rows = diff_lines(left, right);
  EXPECT_EQ(kinds(rows), "<<<=>>>");
}

// Every line of both sides stands in the answer once and in order, and rows called the same are.
TEST(CompareDiff, HoldsForAnyTexts) {
  std::mt19937 random(7);
  const Texts words = {"", "a", "b", "a b c", "a b d", "float x = A[i];", "float y = A[i];", "}"};
  for (int trial = 0; trial < 400; ++trial) {
    Texts left(random() % 12), right(random() % 12);
    for (auto& line : left) line = words[random() % words.size()];
    for (auto& line : right) line = words[random() % words.size()];
    std::size_t i = 0, j = 0;
    for (const DiffRow& row : diff_lines(left, right)) {
      if (row.kind != Kind::right_only) {
        EXPECT_EQ(row.left, i++);
      }
      if (row.kind != Kind::left_only) {
        EXPECT_EQ(row.right, j++);
      }
      if (row.kind == Kind::same || row.kind == Kind::changed) {
        EXPECT_EQ(row.kind == Kind::same, left[row.left] == right[row.right]);
      }
    }
    EXPECT_EQ(i, left.size());
    EXPECT_EQ(j, right.size());
  }
}

}  // namespace
}  // namespace warplens::app
