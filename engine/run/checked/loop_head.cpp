#include "engine/run/checked/loop_head.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "engine/catalog/signature.hpp"

namespace warplens::run {
namespace {

bool is_loop_word(std::string_view word) { return word == "for" || word == "while" || word == "do"; }

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t without_blanks(std::string_view text, std::size_t end) {
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  return end;
}

// The word that ends there.
std::string_view word_before(std::string_view text, std::size_t end) {
  std::size_t first = end;
  while (first > 0 && is_of_word(text[first - 1])) --first;
  return text.substr(first, end - first);
}

// Behind the word that a '{' belongs to: "for" of "for (...) {", "do" of "do {".
std::size_t owner_of_brace(std::string_view text, std::size_t brace) {
  std::size_t end = without_blanks(text, brace);
  if (end == 0 || text[end - 1] != ')') return end;
  int depth = 0;
  while (end-- > 0) {
    depth += text[end] == ')' ? 1 : text[end] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  return without_blanks(text, end == std::string_view::npos ? 0 : end);
}

bool has_loop(std::string_view text) {
  for (std::size_t end = 1; end <= text.size(); ++end)
    if (is_of_word(text[end - 1]) && (end == text.size() || !is_of_word(text[end])) &&
        is_loop_word(word_before(text, end)))
      return true;
  return false;
}

}  // namespace

int loop_head(std::string_view code, int line) {
  const std::string blank = catalog::blanked(code);
  const std::string_view text = blank;
  std::size_t start = 0;
  for (int l = 1; l < line && start != std::string_view::npos; ++l)
    start = std::min(text.find('\n', start), text.size() - 1) + 1;
  if (line < 1 || start >= text.size()) return 0;
  if (has_loop(text.substr(start, text.find('\n', start) - start))) return line;
  int depth = 0;
  for (std::size_t at = start; at-- > 0;) {
    if (text[at] == '}') ++depth;
    if (text[at] != '{' || depth-- > 0) continue;
    depth = 0;
    const std::size_t owner = owner_of_brace(text, at);
    if (is_loop_word(word_before(text, owner)))
      return static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(owner), '\n')) +
             1;
  }
  return 0;
}

}  // namespace warplens::run
