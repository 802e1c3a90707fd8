#include "engine/run/checked/source/loop_head.hpp"

#include <algorithm>
#include <string>

#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::run {
namespace {

bool is_loop_word(std::string_view word) { return word == "for" || word == "while" || word == "do"; }

// Behind the word that a '{' belongs to: "for" of "for (...) {", "do" of "do {".
std::size_t owner_of_brace(std::string_view text, std::size_t brace) {
  std::size_t end = source::before_blanks(text, brace);
  if (end == 0 || text[end - 1] != ')') return end;
  int depth = 0;
  while (end-- > 0) {
    depth += text[end] == ')' ? 1 : text[end] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  return source::before_blanks(text, end == std::string_view::npos ? 0 : end);
}

bool has_loop(std::string_view text) { return source::has_word(text, {"for", "while", "do"}); }

}  // namespace

int loop_head(std::string_view code, int line) {
  const std::string blank = source::blanked(code);
  const std::string_view text = blank;
  const std::size_t start = source::begin_of_line(text, line);
  if (line < 1 || start >= text.size()) return 0;
  if (has_loop(text.substr(start, text.find('\n', start) - start))) return line;
  int depth = 0;
  for (std::size_t at = start; at-- > 0;) {
    if (text[at] == '}') ++depth;
    if (text[at] != '{' || depth-- > 0) continue;
    depth = 0;
    const std::size_t owner = owner_of_brace(text, at);
    if (is_loop_word(source::word_before(text, owner))) return source::line_of(text, owner);
  }
  return 0;
}

}  // namespace warplens::run
