#include "engine/run/checked/source/source_walk.hpp"

#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"

namespace warplens::run {
namespace {

using source::behind_blanks, source::behind_bracket, source::has_word;

// Of if, for, while and switch: what stands behind their brackets; npos: it is none of them.
std::size_t behind_head(std::string_view text, std::size_t at) {
  for (const std::string_view word : {"if", "for", "while", "switch"}) {
    if (!source::is_word_at(text, at, word)) continue;
    std::size_t open = behind_blanks(text, at + word.size());
    if (source::is_word_at(text, open, "constexpr")) open = behind_blanks(text, open + 9);
    return open < text.size() && text[open] == '(' ? behind_bracket(text, open) : std::string_view::npos;
  }
  return std::string_view::npos;
}

std::size_t behind(std::string_view text, std::size_t at, int depth = 0) {
  at = behind_blanks(text, at);
  if (at >= text.size() || depth > 64) return std::string_view::npos;
  if (text[at] == '{') return behind_bracket(text, at);
  if (source::is_word_at(text, at, "do") || source::is_word_at(text, at, "else"))
    return behind(text, at + (text[at] == 'd' ? 2 : 4), depth + 1);
  if (const std::size_t body = behind_head(text, at); body != std::string_view::npos) {
    const std::size_t end = behind(text, body, depth + 1);
    if (end == std::string_view::npos || !source::is_word_at(text, at, "if")) return end;
    const std::size_t next = behind_blanks(text, end);
    return source::is_word_at(text, next, "else") ? behind(text, next + 4, depth + 1) : end;
  }
  int brackets = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    brackets += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
    if (brackets < 0) return at;
    if (c == ';' && brackets == 0) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t behind_statement(std::string_view text, std::size_t at) { return behind(text, at); }

namespace {

class Walk {
 public:
  Walk(std::string_view text, std::size_t place) : text_(text), place_(place) {}
  Way way;

  // The statements of a block; begin: behind its '{'.
  bool block(std::size_t begin, std::size_t end) {
    for (std::size_t at = behind_blanks(text_, begin); at < end;) {
      const std::size_t next = behind_statement(text_, at);
      if (next == std::string_view::npos || next <= at) return false;
      if (place_ < next) return statement(at, next);
      if (!passes(at, next)) return false;
      at = behind_blanks(text_, next);
    }
    return false;
  }

 private:
  std::string between(std::size_t from, std::size_t to) const {
    return std::string(trimmed(text_.substr(from, to - from)));
  }

  // One before the place: whether what follows is reached all the same.
  bool passes(std::size_t at, std::size_t end) {
    const std::string_view text = text_.substr(at, end - at);
    if (!has_word(text, {"return", "break", "continue", "goto", "exit", "__trap"})) return true;
    const std::size_t body = behind_head(text_, at);
    const bool leaves_here = has_word(text, {"return", "goto", "exit", "__trap"});
    if (!source::is_word_at(text_, at, "if"))  // a loop's own break ends that loop
      return !leaves_here && (source::is_word_at(text_, at, "for") || source::is_word_at(text_, at, "while"));
    if (body == std::string_view::npos || has_word(text, {"else", "for", "while", "switch"})) return false;
    const std::size_t open = text_.find('(', at);
    way.guards.push_back({between(open + 1, body - 1), false});
    return true;
  }

  bool statement(std::size_t at, std::size_t end) {
    if (text_[at] == '{') return block(at + 1, end - 1);
    const std::size_t body = behind_head(text_, at);
    if (body == std::string_view::npos) {
      const std::string_view before = text_.substr(at, place_ - at);
      return !source::is_word_at(text_, at, "do") && before.find_first_of("?{") == std::string_view::npos &&
             before.find("&&") == std::string_view::npos && before.find("||") == std::string_view::npos;
    }
    const std::size_t open = text_.find('(', at);
    if (place_ < body) {  // in the head: of an if the condition is reached, up to what may end it early
      const std::string_view before = text_.substr(open, place_ - open);
      return source::is_word_at(text_, at, "if") && before.find('?') == std::string_view::npos &&
             before.find("&&") == std::string_view::npos && before.find("||") == std::string_view::npos;
    }
    if (source::is_word_at(text_, at, "if")) {
      const std::size_t then = behind_statement(text_, body);
      way.guards.push_back({between(open + 1, body - 1), place_ < then});
      const std::size_t other = behind_blanks(text_, then);
      return place_ < then ? inner(body, then) : inner(behind_blanks(text_, other + 4), end);
    }
    return source::is_word_at(text_, at, "for") && loop(open, body, end) && inner(body, end);
  }

  bool inner(std::size_t begin, std::size_t end) { return statement(behind_blanks(text_, begin), end); }

  bool loop(std::size_t open, std::size_t body, std::size_t end) {
    const std::string_view head = text_.substr(open + 1, body - open - 2);
    const std::size_t first = head.find(';'), second = head.find(';', first + 1);
    if (second == std::string_view::npos) return false;
    const std::string_view start = head.substr(0, first);
    const std::size_t equals = start.find('=');
    if (equals == std::string_view::npos || start.find(',') != std::string_view::npos) return false;
    std::size_t name = equals;
    while (name > 0 && !is_of_name(start[name - 1])) --name;
    SourceLoop loop;
    loop.variable = source::word_before(start, name);
    loop.first = trimmed(start.substr(equals + 1));
    loop.condition = trimmed(head.substr(first + 1, second - first - 1));
    loop.step = trimmed(head.substr(second + 1));
    loop.may_leave = has_word(text_.substr(body, end - body), {"break", "return", "goto", "exit", "__trap"});
    if (loop.variable.empty() || is_changed(text_, loop.variable, body, end)) return false;
    way.loops.push_back(std::move(loop));
    return true;
  }

  std::string_view text_;
  std::size_t place_;
};

}  // namespace

std::optional<Way> way_to(std::string_view text, std::size_t body, std::size_t place) {
  Walk walk(text, place);
  const std::size_t end = behind_bracket(text, body);
  if (end == std::string_view::npos || !walk.block(body + 1, end - 1)) return std::nullopt;
  return std::move(walk.way);
}

std::size_t block_around(std::string_view text, std::size_t from, std::size_t place) {
  std::vector<std::size_t> open;
  for (std::size_t at = from; at < place; ++at) {
    if (text[at] == '{') open.push_back(at);
    if (text[at] == '}' && !open.empty()) open.pop_back();
  }
  return open.empty() ? from : open.back();
}

namespace {

// "const int x = 1, y = 2": whether what stands behind this comma is declared, too.
bool goes_on_declaring(std::string_view text, std::size_t comma) {
  const std::size_t begin = text.find_last_of(";{}", comma) + 1;
  const std::string_view first = trimmed(text.substr(begin, text.find_first_of("=,[(", begin) - begin));
  return first.find_first_of(" \t\n") != std::string_view::npos &&
         first.find_first_of("+-/%&|.<>?!") == std::string_view::npos;
}

}  // namespace

bool is_changed(std::string_view text, std::string_view variable, std::size_t from, std::size_t end) {
  for (std::size_t at = source::find_word(text, variable, from, end); at != std::string_view::npos;
       at = source::find_word(text, variable, at + 1, end)) {
    const std::size_t next = behind_blanks(text, at + variable.size());
    const std::string_view after = text.substr(next, 3);
    const std::size_t last = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", at - 1);
    const char before = last == std::string_view::npos ? ' ' : text[last];
    const bool is_declared = (last != std::string_view::npos && is_of_name(before) && last + 1 < at) ||
                             (before == ',' && goes_on_declaring(text, last));
    const bool is_set = after.starts_with("=") && !after.starts_with("==");
    const bool is_updated = after.starts_with("++") || after.starts_with("--") || after.starts_with("<<=") ||
                            after.starts_with(">>=") ||
                            (after.size() > 1 && after[1] == '=' &&
                             std::string_view("+-*/%&|^").find(after[0]) != std::string_view::npos);
    const bool is_before = last != std::string_view::npos && last > 0 &&
                           (text.substr(last - 1, 2) == "++" || text.substr(last - 1, 2) == "--");
    const bool is_address = before == '&' && (last == 0 || text[last - 1] != '&');
    if ((is_set && !is_declared) || is_updated || is_before || is_address) return true;
  }
  return false;
}

}  // namespace warplens::run
