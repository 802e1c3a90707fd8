#include "engine/source/scan.hpp"

#include <algorithm>

#include "engine/base/code_text.hpp"

namespace warplens::source {

bool is_word_at(std::string_view code, std::size_t at, std::string_view word) {
  return code.substr(std::min(at, code.size())).starts_with(word) &&
         (at + word.size() >= code.size() || !is_of_name(code[at + word.size()]));
}

std::size_t find_word(std::string_view code, std::string_view word, std::size_t from, std::size_t end) {
  for (std::size_t at = code.find(word, from); at < end; at = code.find(word, at + 1))
    if ((at == 0 || !is_of_name(code[at - 1])) && is_word_at(code, at, word)) return at;
  return kNowhere;
}

bool has_word(std::string_view code, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return find_word(code, word) != kNowhere; });
}

std::string_view word_at(std::string_view code, std::size_t at) {
  at = std::min(at, code.size());
  std::size_t end = at;
  while (end < code.size() && is_of_name(code[end])) ++end;
  return code.substr(at, end - at);
}

std::string_view word_before(std::string_view code, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_of_name(code[begin - 1])) --begin;
  return code.substr(begin, end - begin);
}

std::size_t behind_blanks(std::string_view code, std::size_t at) {
  while (at < code.size() && is_space(code[at])) ++at;
  return std::min(at, code.size());
}

std::size_t before_blanks(std::string_view code, std::size_t end) {
  while (end > 0 && is_space(code[end - 1])) --end;
  return end;
}

std::size_t behind_bracket(std::string_view code, std::size_t open, std::size_t most) {
  if (open >= code.size()) return kNowhere;
  const bool is_template = code[open] == '<';
  const std::string_view opening = is_template ? "<" : "({[", closing = is_template ? ">" : ")}]";
  const std::size_t end = most < code.size() - open ? open + most : code.size();
  int depth = 0;
  for (std::size_t at = open; at < end; ++at) {
    const char c = code[at];
    depth += opening.find(c) != kNowhere ? 1 : 0;
    if (closing.find(c) != kNowhere && --depth == 0) return at + 1;
    if (is_template && (c == ';' || c == '{')) break;
  }
  return kNowhere;
}

std::string_view initializer(std::string_view code) {
  int depth = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
    if (depth < 0 || ((c == ',' || c == ';') && depth == 0)) return code.substr(0, at);
  }
  return code;
}

std::vector<std::string_view> parts_of(std::string_view code, bool has_templates) {
  const std::string_view opening = has_templates ? "([{<" : "([{", closing = has_templates ? ")]}>" : ")]}";
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    depth += opening.find(code[at]) != kNowhere ? 1 : closing.find(code[at]) != kNowhere ? -1 : 0;
    if (code[at] != ',' || depth != 0) continue;
    parts.push_back(trimmed(code.substr(begin, at - begin)));
    begin = at + 1;
  }
  if (const auto last = trimmed(code.substr(begin)); !last.empty() || !parts.empty()) parts.push_back(last);
  return parts;
}

std::size_t begin_of_line(std::string_view code, int line) {
  std::size_t begin = 0;
  for (int l = 1; l < line && begin < code.size(); ++l)
    begin = std::min(code.find('\n', begin), code.size() - 1) + 1;
  return begin;
}

int line_of(std::string_view code, std::size_t place) {
  return 1 + static_cast<int>(std::ranges::count(code.substr(0, place), '\n'));
}

}  // namespace warplens::source
