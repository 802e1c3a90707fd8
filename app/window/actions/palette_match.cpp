#include "app/window/actions/palette_match.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace warplens::app {
namespace {

constexpr int kImpossible = -1'000'000;
constexpr int kForLetter = 4, kForRun = 12, kForWordStart = 10, kForTextStart = 4;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool starts_word(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const auto before = static_cast<unsigned char>(text[at - 1]), here = static_cast<unsigned char>(text[at]);
  return std::isalnum(before) == 0 || (std::isdigit(before) == 0 && std::isdigit(here) != 0) ||
         (std::islower(before) != 0 && std::isupper(here) != 0);
}

int worth(std::string_view text, std::size_t at) {
  return kForLetter + (starts_word(text, at) ? kForWordStart : 0) + (at == 0 ? kForTextStart : 0);
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text) {
  std::string letters;
  for (const char c : query)
    if (c != ' ') letters += lower(c);
  const std::size_t rows = letters.size(), columns = text.size();
  if (rows == 0) return FuzzyMatch{};
  if (rows > columns) return std::nullopt;
  // ending[i][j]: the best score of letters 0..i with letter i at text position j.
  std::vector<std::vector<int>> ending(rows, std::vector<int>(columns, kImpossible));
  std::vector<std::vector<std::size_t>> from(rows, std::vector<std::size_t>(columns, 0));
  for (std::size_t i = 0; i < rows; ++i) {
    int best = kImpossible;  // of letter i-1 at a position before j-1
    std::size_t best_at = 0;
    for (std::size_t j = i; j < columns; ++j) {
      if (i > 0 && j >= 2 && ending[i - 1][j - 2] > best) best = ending[i - 1][best_at = j - 2];
      if (lower(text[j]) != letters[i]) continue;
      if (i == 0) {
        ending[i][j] = worth(text, j);
        continue;
      }
      const int run = ending[i - 1][j - 1] + kForRun;
      const int before = std::max(run, best);
      if (before <= kImpossible / 2) continue;
      ending[i][j] = before + worth(text, j);
      from[i][j] = run >= best ? j - 1 : best_at;
    }
  }
  const auto last = std::max_element(ending.back().begin(), ending.back().end());
  if (*last <= kImpossible / 2) return std::nullopt;
  FuzzyMatch match{*last * 4 - static_cast<int>(columns), std::vector<std::size_t>(rows)};
  std::size_t at = static_cast<std::size_t>(last - ending.back().begin());
  for (std::size_t i = rows; i-- > 0; at = from[i][at]) match.positions[i] = at;
  return match;
}

}  // namespace warplens::app
