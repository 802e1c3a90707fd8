#include "engine/compile/include_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "engine/base/code_text.hpp"
#include "engine/compile/source/host_headers.hpp"

namespace warplens::compile {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Lines that a backslash joins are one; line i of the source ends before the i-th of `ends`.
struct Joined {
  std::string text;
  std::vector<int> lines;           // of each character, from 1
  std::vector<std::size_t> places;  // of each character in the source
};
Joined joined(std::string_view source) {
  Joined result;
  int line = 1;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] == '\\') {
      std::size_t end = at + 1;
      while (end < source.size() && is_blank(source[end])) ++end;
      if (end < source.size() && source[end] == '\n') {
        ++line;
        at = end;
        continue;
      }
    }
    result.text += source[at];
    result.lines.push_back(line);
    result.places.push_back(at);
    line += source[at] == '\n' ? 1 : 0;
  }
  return result;
}

// Behind blanks and comments, which may hold ends of lines.
std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t close = text.find("*/", at + 2);
      if (close == std::string_view::npos) return text.size();
      at = close + 2;
    } else {
      break;
    }
  }
  return at;
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return text.substr(at, end - at);
}

// Whether a directive may begin there: nothing but blanks and comments before it in its line. What stands in
// a comment of several lines may look like one; that is refused too where it leads elsewhere.
bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = line == std::string_view::npos || at == 0 ? 0 : line + 1;
  std::string_view before = text.substr(begin, at - begin);
  if (const std::size_t close = before.rfind("*/"); close != std::string_view::npos)
    before.remove_prefix(close + 2);
  return before.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

// How many characters begin a directive there; 0 where none does.
std::size_t sign_of_directive(std::string_view text, std::size_t at) {
  const std::size_t sign = text[at] == '#' ? 1 : text.substr(at, 2) == "%:" ? 2 : 0;
  return sign > 0 && begins_line(text, at) ? sign : 0;
}

// What stands there as "name" or <name>; nothing: a macro makes it.
std::optional<std::string> file_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '"' && text[at] != '<')) return std::nullopt;
  const std::size_t end = text.find(text[at] == '"' ? '"' : '>', at + 1);
  return end == std::string_view::npos ? std::nullopt
                                       : std::optional(std::string(text.substr(at + 1, end - at - 1)));
}

bool leads_elsewhere(const std::string& name) { return is_absolute(name) || leads_up(name); }

// Whether no macro can stand there: then it is words of a comment, or a mistake that the compiler tells.
bool is_no_macro(std::string_view text, std::size_t at) {
  constexpr std::string_view kSigns = ".*-=,;:)\n";
  return at >= text.size() || kSigns.find(text[at]) != std::string_view::npos;
}

class Scan {
 public:
  Scan(const Request& request, const std::string& source, const std::string& file)
      : request_(request), joined_(joined(source)), file_(file) {}

  std::optional<Error> run() {
    const std::string_view text = joined_.text;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (const std::size_t sign = sign_of_directive(text, at); sign > 0) {
        const std::size_t word = behind_blanks(text, at + sign);
        const std::string_view name = word_at(text, word);
        if (name == "include" || name == "include_next" || name == "import" || name == "embed")
          if (auto error = check(behind_blanks(text, word + name.size()), at, name == "include"))
            return error;
      }
      constexpr std::string_view kAsks = "__has_include";
      if (text.substr(at, kAsks.size()) != kAsks || (at > 0 && is_of_name(text[at - 1]))) continue;
      std::size_t open = behind_blanks(text, at + word_at(text, at).size());
      if (open < text.size() && text[open] == '(')
        if (auto error = check(behind_blanks(text, open + 1), at, true)) return error;
    }
    return std::nullopt;
  }

 private:
  // takes_headers: of the directives only #include has what the request brings; others would look for a file.
  std::optional<Error> check(std::size_t operand, std::size_t at, bool takes_headers) const {
    const auto name = file_at(joined_.text, operand);
    const Place place{file_, joined_.lines[at], 0};
    if (!name && is_no_macro(joined_.text, operand)) return std::nullopt;
    if (!name)
      return Error{"the name of the included file is made by a macro", "write the name itself", place};
    if ((takes_headers && request_.headers.contains(*name)) || !leads_elsewhere(*name)) return std::nullopt;
    return Error{fmt::format("the kernel may not include {}", *name),
                 "include files of its own folder and below, and CUDA's headers", place};
  }

  const Request& request_;
  Joined joined_;
  const std::string& file_;
};

}  // namespace

std::optional<Error> forbidden_include(const Request& request) {
  if (auto error = Scan(request, request.source, request.file_name).run()) return error;
  for (const auto& [name, text] : request.headers)
    if (auto error = Scan(request, text, name).run()) return error;
  return std::nullopt;
}

// Also written # 1 "file", as preprocessors leave it. A comment behind it stays, which may end lines further
// down.
std::string without_line_directives(std::string_view source) {
  std::string result(source);
  const Joined whole = joined(source);
  const std::string_view text = whole.text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t sign = sign_of_directive(text, at);
    if (sign == 0) continue;
    const std::size_t word = behind_blanks(text, at + sign);
    const std::string_view name = word_at(text, word);
    const bool is_number = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0;
    if (name != "line" && !is_number) continue;
    const std::size_t end = std::min({text.find('\n', word), text.find("/*", word), text.size()});
    const std::size_t last = end < text.size() ? whole.places[end] : source.size();
    for (std::size_t place = whole.places[at]; place < last; ++place)
      if (result[place] != '\n') result[place] = ' ';
    at = end - 1;
  }
  return result;
}

}  // namespace warplens::compile
