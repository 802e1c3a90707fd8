#include "engine/base/toml_parsing.hpp"

#include <algorithm>
#include <cctype>

namespace warplens {
namespace {

constexpr int kMostParts = 200;

// Behind the quotes that close what opens at `at`; the end of the line where a short text has no end.
std::size_t behind_text(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const bool is_long = toml.substr(at, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
  if (is_long) {
    const std::size_t close = toml.find(toml.substr(at, 3), at + 3);
    return close == std::string_view::npos ? toml.size() : close + 3;
  }
  for (std::size_t end = at + 1; end < toml.size() && toml[end] != '\n'; ++end) {
    if (toml[end] == '\\' && quote == '"')
      ++end;
    else if (toml[end] == quote)
      return end + 1;
  }
  return std::min(toml.find('\n', at), toml.size());
}

}  // namespace

int line_of_deep_name(std::string_view toml) {
  int parts = 1;
  for (std::size_t at = 0; at < toml.size();) {
    const char c = toml[at];
    if (c == '"' || c == '\'') {
      at = behind_text(toml, at);
      continue;
    }
    if (c == '#') {
      at = std::min(toml.find('\n', at), toml.size());
      continue;
    }
    const bool is_of_name =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ' || c == '\t';
    if (c == '.')
      ++parts;
    else if (!is_of_name)
      parts = 1;
    if (parts > kMostParts)
      return 1 +
             static_cast<int>(std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    ++at;
  }
  return 0;
}

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// What follows the brackets of a header.
bool begins_name(std::string_view toml, std::size_t bracket) {
  std::size_t at = bracket + (toml.substr(bracket, 2) == "[[" ? 2 : 1);
  while (at < toml.size() && is_blank(toml[at])) ++at;
  if (at == toml.size()) return true;  // the file ends there, which is another mistake
  const char c = toml[at];
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '"' || c == '\'';
}

}  // namespace

int line_of_nameless_table(std::string_view toml) {
  int line = 1, depth = 0;
  bool is_first = true, in_header = false;  // is_first: nothing but blanks before it in its line
  for (std::size_t at = 0; at < toml.size(); ++at) {
    const char c = toml[at];
    if (c == '"' || c == '\'' || c == '#') {
      const std::size_t end = c == '#' ? std::min(toml.find('\n', at), toml.size()) : behind_text(toml, at);
      line += static_cast<int>(std::count(toml.begin() + static_cast<std::ptrdiff_t>(at),
                                          toml.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end - 1;
    } else if (c == '[' || c == '{') {
      const bool opens_table = c == '[' && is_first && depth == 0;
      if (opens_table && !begins_name(toml, at)) return line;
      in_header |= opens_table;
      ++depth;
    } else if (c == ']' || c == '}') {
      depth = std::max(0, depth - 1);
    } else if (c == '\n') {
      ++line;
      if (in_header) depth = 0, in_header = false;
    }
    is_first = c == '\n' || (is_first && is_blank(c));
  }
  return 0;
}

}  // namespace warplens
