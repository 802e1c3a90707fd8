#include "engine/base/toml_depth.hpp"

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

}  // namespace warplens
