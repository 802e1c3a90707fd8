// Rows of words as aligned columns of text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::app {

using TextRow = std::vector<std::string>;

// The first row is the heading. Columns that hold only numbers stand to the right, the others to the left;
// two spaces between columns, none at the end of a line.
std::string format_table(const std::vector<TextRow>& rows);

// With a capital letter at its beginning.
std::string capitalized(std::string text);

// "a, b and c"; names: at least one.
std::string listed(const std::vector<std::string_view>& names, std::string_view last = "and");

// The value of a word that the user chose. Error: "unknown WHAT 'text'", with the words that are known.
template <class T>
Result<T> chosen_word(std::string_view what, std::string_view text,
                      std::initializer_list<std::pair<std::string_view, T>> words) {
  std::vector<std::string_view> known;
  for (const auto& [word, value] : words) {
    if (word == text) return value;
    known.push_back(word);
  }
  return Error{fmt::format("unknown {} '{}'", what, text), "choose " + listed(known, "or")};
}

// Of a folder of kernels: "Matmul"; of ncsa and minplus as the field writes them.
std::string ladder_title(std::string_view ladder);

}  // namespace warplens::app
