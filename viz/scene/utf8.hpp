// UTF-8, one code point at a time. Bytes that are no UTF-8 read as U+FFFD, one byte each: no input is
// refused.
#pragma once

#include <cstddef>
#include <string_view>

namespace warplens::scene {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // bytes; at least 1
};

// Precondition: !text.empty().
CodePoint first_code_point(std::string_view text);

// Calls visit(CodePoint, byte offset) for each.
template <class Visit>
void for_each_code_point(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = first_code_point(text.substr(at));
    visit(c, at);
    at += c.length;
  }
}

}  // namespace warplens::scene
