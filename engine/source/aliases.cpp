#include "engine/source/aliases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::source {
namespace {

// Whole numbers under names of their own: "enum class Mode : short { ... }".
void add_enumerations(std::string_view plain, Aliases& aliases) {
  for (std::size_t at = find_word(plain, "enum"); at != kNowhere; at = find_word(plain, "enum", at + 1)) {
    const std::size_t open = plain.find_first_of("{;(=", at);
    if (open == kNowhere || plain[open] != '{') continue;
    std::vector<std::string> words = parts_of_type(plain.substr(at + 4, open - at - 4));
    if (!words.empty() && (words[0] == "class" || words[0] == "struct")) words.erase(words.begin());
    if (words.empty()) continue;
    const auto colon = std::find(words.begin(), words.end(), ":");
    std::string type =
        colon == words.end() ? "int" : fmt::format("{}", fmt::join(colon + 1, words.end(), " "));
    aliases.emplace(words[0], std::move(type));
  }
}

}  // namespace

std::vector<std::string> parts_of_type(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t last = 0;
  Tokens tokens(text);
  for (auto token = tokens.next(); token; token = tokens.next()) {
    const std::string_view part = tokens.text(*token);
    const bool goes_on = !parts.empty() && last == token->begin &&
                         (part == ":" || (parts.back().ends_with("::") && is_of_name(part.front())));
    if (goes_on && (is_of_name(parts.back().front()) || parts.back().front() == ':'))
      parts.back() += part;
    else if (token->kind != Token::Kind::comment)
      parts.emplace_back(part);
    last = token->end;
  }
  return parts;
}

Aliases aliases_of(const Macros& macros) {
  Aliases aliases;
  for (const auto& [name, body] : macros)
    if (const auto parts = parts_of_type(body); !parts.empty() && parts.size() <= 3)
      aliases.emplace(name, fmt::format("{}", fmt::join(parts, " ")));
  return aliases;
}

void add_aliases(std::string_view plain, Aliases& aliases) {
  for (const std::string_view keyword : {"typedef ", "using "}) {
    for (std::size_t at = plain.find(keyword); at != std::string_view::npos;
         at = plain.find(keyword, at + 1)) {
      const std::size_t end = std::min(plain.find(';', at), plain.size());
      std::vector<std::string> words =
          parts_of_type(plain.substr(at + keyword.size(), end - at - keyword.size()));
      if (words.size() < 2 || std::find(words.begin(), words.end(), "{") != words.end()) continue;
      std::string name = words.back(), value;
      if (keyword == "using ") {
        if (words[1] != "=") continue;
        name = words[0];
        words.erase(words.begin(), words.begin() + 2);
      } else {
        words.pop_back();
      }
      for (const std::string& word : words) value += (value.empty() ? "" : " ") + word;
      aliases.emplace(name, value);
    }
  }
  add_enumerations(plain, aliases);
}

}  // namespace warplens::source
