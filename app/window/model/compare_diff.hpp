// Two source texts line by line: which lines are in both, which were changed into one another and in which
// words, and which stand on one side only. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warplens::app {

// Bytes of a line, [begin, end).
struct TextSpan {
  std::size_t begin = 0, end = 0;
  bool operator==(const TextSpan&) const = default;
};

struct DiffRow {
  enum class Kind : std::uint8_t { same, changed, left_only, right_only };
  Kind kind = Kind::same;
  std::size_t left = 0, right = 0;                // positions in the two lists; of one side where it is alone
  std::vector<TextSpan> left_words, right_words;  // of a changed row: the words that differ
  bool operator==(const DiffRow&) const = default;
};

// Every line of both sides exactly once and in order. The lines kept are a longest common subsequence, in
// which blank lines count little; what stands between is paired where more than half of the words agree.
// Beyond 16 M pairs of lines the middle is not aligned: all of it is left_only, then right_only.
std::vector<DiffRow> diff_lines(std::span<const std::string_view> left,
                                std::span<const std::string_view> right);

}  // namespace warplens::app
