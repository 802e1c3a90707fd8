// What readers of C and of expressions ask of characters.
#pragma once

#include <string_view>

namespace warplens {

// A letter, a digit or an underscore; of ASCII alone, and asked for each character of long texts.
constexpr bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Without white space at its ends.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace warplens
