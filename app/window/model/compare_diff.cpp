#include "app/window/model/compare_diff.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

namespace warplens::app {
namespace {

constexpr std::size_t kMostPairs = std::size_t{16} << 20;
constexpr int kLineWorth = 8, kBlankWorth = 1;

using Lines = std::span<const std::string_view>;

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

// Names and numbers whole, anything else character by character, spaces left out.
std::vector<TextSpan> words_of(std::string_view line) {
  std::vector<TextSpan> words;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    while (is_word_character(line[at]) && end < line.size() && is_word_character(line[end])) ++end;
    if (line[at] != ' ' && line[at] != '\t') words.push_back({at, end});
    at = end;
  }
  return words;
}

struct Match {
  std::size_t left = 0, right = 0;
};

// The matches, in order, whose worth is the largest in all. worth: 0 for two things that do not match.
std::vector<Match> best_matches(std::size_t left, std::size_t right,
                                const std::function<int(std::size_t, std::size_t)>& worth) {
  const std::size_t stride = right + 1;
  std::vector<int> best((left + 1) * stride, 0);  // of what follows (i, j)
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return best[i * stride + j]; };
  for (std::size_t i = left; i-- > 0;) {
    for (std::size_t j = right; j-- > 0;) {
      const int own = worth(i, j);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), own == 0 ? 0 : own + at(i + 1, j + 1)});
    }
  }
  std::vector<Match> matches;
  for (std::size_t i = 0, j = 0; i < left && j < right;) {
    const int own = worth(i, j);
    if (own > 0 && at(i, j) == own + at(i + 1, j + 1))
      matches.push_back({i++, j++});
    else if (at(i, j) == at(i + 1, j))
      ++i;
    else
      ++j;
  }
  return matches;
}

std::string_view text_of(std::string_view line, const TextSpan& word) {
  return line.substr(word.begin, word.end - word.begin);
}

std::vector<Match> word_matches(std::string_view left, const std::vector<TextSpan>& left_words,
                                std::string_view right, const std::vector<TextSpan>& right_words) {
  return best_matches(left_words.size(), right_words.size(), [&](std::size_t i, std::size_t j) {
    return text_of(left, left_words[i]) == text_of(right, right_words[j]) ? 1 : 0;
  });
}

// Words that match nothing, neighbours joined with the space between them.
std::vector<TextSpan> others(const std::vector<TextSpan>& words, const std::vector<bool>& matched) {
  std::vector<TextSpan> spans;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (matched[i]) continue;
    if (i > 0 && !matched[i - 1])
      spans.back().end = words[i].end;
    else
      spans.push_back(words[i]);
  }
  return spans;
}

DiffRow changed_row(Lines left, Lines right, std::size_t i, std::size_t j) {
  const auto left_words = words_of(left[i]), right_words = words_of(right[j]);
  std::vector<bool> left_matched(left_words.size()), right_matched(right_words.size());
  for (const Match& match : word_matches(left[i], left_words, right[j], right_words))
    left_matched[match.left] = right_matched[match.right] = true;
  return {DiffRow::Kind::changed, i, j, others(left_words, left_matched), others(right_words, right_matched)};
}

// Words that two lines share, of 100 in the longer one; 0 where that is half or less.
int likeness(std::string_view left, std::string_view right) {
  const auto left_words = words_of(left), right_words = words_of(right);
  const std::size_t most = std::max(left_words.size(), right_words.size());
  if (most == 0) return 0;
  const std::size_t shared = word_matches(left, left_words, right, right_words).size();
  return 2 * shared > most ? static_cast<int>(100 * shared / most) : 0;
}

// What stands between two kept lines.
void add_gap(std::vector<DiffRow>& rows, Lines left, Lines right, Match from, Match to) {
  const std::size_t lefts = to.left - from.left, rights = to.right - from.right;
  std::vector<Match> pairs;
  if (lefts * rights > 0 && lefts * rights <= 4096) {
    std::vector<int> alike(lefts * rights);
    for (std::size_t k = 0; k < alike.size(); ++k)
      alike[k] = likeness(left[from.left + k / rights], right[from.right + k % rights]);
    pairs = best_matches(lefts, rights, [&](std::size_t i, std::size_t j) { return alike[i * rights + j]; });
  }
  pairs.push_back({lefts, rights});
  std::size_t i = 0, j = 0;
  for (const Match& pair : pairs) {
    for (; i < pair.left; ++i) rows.push_back({DiffRow::Kind::left_only, from.left + i, 0, {}, {}});
    for (; j < pair.right; ++j) rows.push_back({DiffRow::Kind::right_only, 0, from.right + j, {}, {}});
    if (i < lefts && j < rights) rows.push_back(changed_row(left, right, from.left + i++, from.right + j++));
  }
}

std::vector<Match> kept_lines(Lines left, Lines right) {
  std::size_t first = 0, last = 0;
  const std::size_t least = std::min(left.size(), right.size());
  while (first < least && left[first] == right[first]) ++first;
  while (first + last < least && left[left.size() - 1 - last] == right[right.size() - 1 - last]) ++last;
  std::vector<Match> kept;
  for (std::size_t i = 0; i < first; ++i) kept.push_back({i, i});
  const std::size_t lefts = left.size() - first - last, rights = right.size() - first - last;
  if (lefts > 0 && rights > 0 && lefts <= kMostPairs / rights) {
    const auto worth = [&](std::size_t i, std::size_t j) {
      if (left[first + i] != right[first + j]) return 0;
      return is_blank(left[first + i]) ? kBlankWorth : kLineWorth;
    };
    for (const Match& match : best_matches(lefts, rights, worth))
      kept.push_back({first + match.left, first + match.right});
  }
  for (std::size_t i = last; i > 0; --i) kept.push_back({left.size() - i, right.size() - i});
  return kept;
}

}  // namespace

std::vector<DiffRow> diff_lines(Lines left, Lines right) {
  std::vector<DiffRow> rows;
  Match at;
  for (const Match& kept : kept_lines(left, right)) {
    add_gap(rows, left, right, at, kept);
    rows.push_back({DiffRow::Kind::same, kept.left, kept.right, {}, {}});
    at = {kept.left + 1, kept.right + 1};
  }
  add_gap(rows, left, right, at, {left.size(), right.size()});
  return rows;
}

}  // namespace warplens::app
