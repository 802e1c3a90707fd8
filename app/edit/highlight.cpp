#include "app/edit/highlight.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/base/code_text.hpp"
#include "engine/source/tokens.hpp"
#include "engine/source/types.hpp"

namespace warplens::app {
namespace {

// Sorted, for a binary search. ISO C++20 [lex.key].
constexpr auto kKeywords = std::to_array<std::string_view>({"alignas",     "alignof",    "asm",
                                                            "auto",        "break",      "case",
                                                            "catch",       "class",      "concept",
                                                            "const",       "const_cast", "constexpr",
                                                            "continue",    "decltype",   "default",
                                                            "delete",      "do",         "dynamic_cast",
                                                            "else",        "enum",       "explicit",
                                                            "extern",      "false",      "for",
                                                            "friend",      "goto",       "if",
                                                            "inline",      "mutable",    "namespace",
                                                            "new",         "noexcept",   "nullptr",
                                                            "operator",    "private",    "protected",
                                                            "public",      "register",   "reinterpret_cast",
                                                            "requires",    "restrict",   "return",
                                                            "sizeof",      "static",     "static_assert",
                                                            "static_cast", "struct",     "switch",
                                                            "template",    "this",       "throw",
                                                            "true",        "try",        "typedef",
                                                            "typeid",      "typename",   "union",
                                                            "using",       "virtual",    "volatile",
                                                            "while"});

// Beside those of numbers.
constexpr auto kTypes = std::to_array<std::string_view>({"dim3", "intptr_t", "uintptr_t", "void"});

// CUDA C++ Programming Guide: built-in variables, and what begins with two underscores.
constexpr auto kCuda =
    std::to_array<std::string_view>({"blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"});

template <std::size_t count>
bool holds(const std::array<std::string_view, count>& sorted, std::string_view word) {
  return std::ranges::binary_search(sorted, word);
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

CodeKind kind_of(std::string_view word) {
  if (holds(kKeywords, word)) return CodeKind::keyword;
  if (holds(kTypes, word) || source::read_type(word)) return CodeKind::type;
  if (holds(kCuda, word) || word.starts_with("__") || word.starts_with("atomic")) return CodeKind::cuda;
  return CodeKind::plain;
}

CodeKind kind_of(const source::Token& token, std::string_view text) {
  using Kind = source::Token::Kind;
  switch (token.kind) {
    case Kind::name:
      return kind_of(text);
    case Kind::number:
      return CodeKind::number;
    case Kind::text:
      return CodeKind::text;
    case Kind::comment:
      return CodeKind::comment;
    case Kind::directive:
      return CodeKind::preprocessor;
    case Kind::sign:
      return CodeKind::plain;
  }
  return CodeKind::plain;
}

struct Within {
  CodeState state;
  source::Within within;
};
constexpr Within kWithin[] = {{CodeState::code, source::Within::code},
                              {CodeState::comment, source::Within::comment},
                              {CodeState::preprocessor, source::Within::directive},
                              {CodeState::text, source::Within::text}};

std::vector<CodeSpan> highlight_code(std::string_view line, CodeState& state) {
  source::Tokens tokens(line, std::ranges::find(kWithin, state, &Within::state)->within);
  std::vector<CodeSpan> spans;
  for (auto token = tokens.next(); token; token = tokens.next())
    if (const CodeKind kind = kind_of(*token, tokens.text(*token)); kind != CodeKind::plain)
      spans.push_back({token->begin, token->end, kind});
  state = std::ranges::find(kWithin, tokens.within(), &Within::within)->state;
  return spans;
}

// NAME = "text" # comment
std::vector<CodeSpan> highlight_toml(std::string_view line) {
  std::vector<CodeSpan> spans;
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return spans;
  if (line[first] == '[' && line.find('=') == std::string_view::npos)
    return {{first, line.size(), CodeKind::keyword}};
  for (std::size_t at = first; at < line.size();) {
    const char c = line[at];
    std::size_t end = at + 1;
    CodeKind kind = CodeKind::plain;
    if (c == '#') {
      end = line.size(), kind = CodeKind::comment;
    } else if (c == '"' || c == '\'') {
      while (end < line.size() && line[end] != c) end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size()), kind = CodeKind::text;
    } else if (is_of_name(c)) {
      while (end < line.size() && is_of_name(line[end])) ++end;
      const std::size_t next = line.find_first_not_of(" \t", end);
      const bool is_key = next != std::string_view::npos && line[next] == '=' && line.substr(next, 2) != "==";
      kind = is_key ? CodeKind::key : is_digit(c) ? CodeKind::number : CodeKind::plain;
    }
    if (kind != CodeKind::plain) spans.push_back({at, end, kind});
    at = end;
  }
  return spans;
}

}  // namespace

std::vector<CodeSpan> highlight(std::string_view line, CodeState& state) {
  if (state == CodeState::code && line.starts_with("/*---") &&
      line.find_first_not_of(" \t\r", 5) == std::string_view::npos) {
    state = CodeState::front_matter;
    return {{0, line.size(), CodeKind::comment}};
  }
  if (state != CodeState::front_matter) return highlight_code(line, state);
  if (line.find("*/") == std::string_view::npos) return highlight_toml(line);
  state = CodeState::code;
  return {{0, line.size(), CodeKind::comment}};
}

namespace {

// Whether a line can end in another state than it begins in, without reading its parts.
bool may_change(std::string_view line, CodeState state) {
  if (state == CodeState::code) return line.ends_with('\\') || line.find("/*") != std::string_view::npos;
  if (state == CodeState::comment || state == CodeState::front_matter)
    return line.find("*/") != std::string_view::npos;
  return true;
}

}  // namespace

std::vector<CodeState> states_of(std::span<const std::string> lines) {
  std::vector<CodeState> states;
  states.reserve(lines.size());
  CodeState state = CodeState::code;
  for (const std::string& line : lines) {
    states.push_back(state);
    if (may_change(line, state)) highlight(line, state);
  }
  return states;
}

}  // namespace warplens::app
