// Did you mean ...: the names nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::catalog {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other, case
// ignored.
std::size_t edit_distance(std::string_view from, std::string_view to);

// At most `count` names, the nearest first: within a third of the word's length, or containing it.
std::vector<std::string> near_names(std::string_view word, std::span<const std::string> names,
                                    std::size_t count = 3);

}  // namespace warplens::catalog
