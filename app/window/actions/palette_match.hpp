// Searching by a few letters. Pure functions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace warplens::app {

struct FuzzyMatch {
  int score = 0;                       // more is better
  std::vector<std::size_t> positions;  // bytes of the text that were matched, ascending
};

// The letters of the query in their order, blanks and case left out; empty if the text does not have
// them. Of all places the best one is taken: runs of letters and the beginnings of words count most, and a
// short text more than a long one.
std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text);

}  // namespace warplens::app
