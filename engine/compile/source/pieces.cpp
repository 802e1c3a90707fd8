#include "engine/compile/source/pieces.hpp"

#include <algorithm>
#include <cctype>

#include "engine/base/code_text.hpp"

namespace warplens::compile {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool begins_with_any(std::string_view head, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return head.starts_with(word) && (head.size() == word.size() || !is_of_name(head[word.size()]));
  });
}

// The name that ends before `end`, blanks passed over; empty: none does.
std::string name_before(std::string_view text, std::size_t end) {
  while (end > 0 && is_space(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

// Where the arguments of a template begin that end before `end`, as of "Exp<float>"; else `end`.
std::size_t before_arguments(std::string_view text, std::size_t end) {
  std::size_t at = end;
  while (at > 0 && is_space(text[at - 1])) --at;
  if (at == 0 || text[at - 1] != '>') return end;
  for (int depth = 0; at > 0; --at) {
    depth += text[at - 1] == '>' ? 1 : text[at - 1] == '<' ? -1 : 0;
    if (depth == 0) return at - 1;
  }
  return end;
}

// Behind "template <...>", which may stand there several times, and behind words that say nothing of what
// follows.
std::string_view without_template(std::string_view text) {
  for (text = trimmed(text);;) {
    if (begins_with_any(text, {"static", "inline", "extern"})) {
      text = trimmed(text.substr(std::string_view("static").size()));  // as long as the others
      continue;
    }
    if (!begins_with_any(text, {"template"})) return text;
    int depth = 0;
    std::size_t at = text.find('<');
    if (at == std::string_view::npos) return text;
    for (; at < text.size(); ++at) {
      depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
      if (depth == 0) break;
    }
    if (at >= text.size() || trimmed(text.substr(at + 1)).empty()) return text;
    text = trimmed(text.substr(at + 1));
  }
}

bool is_type(std::string_view head) {
  return begins_with_any(head, {"struct", "class", "union", "enum", "typedef", "using"});
}

// What a function is called by its head; empty: it is no head of a function. operator+ is "operator".
std::string function_name(std::string_view head) {
  head = trimmed(without_template(head));
  if (is_type(head) && !head.ends_with(")")) return "";  // struct __align__(16) Pixel
  const std::size_t open = head.find('('), equals = head.find('='), word = head.find("operator");
  if (word != std::string_view::npos && (word == 0 || !is_of_name(head[word - 1])) && word < open)
    return "operator";
  if (open == std::string_view::npos || equals < open) return "";
  if (begins_with_any(head, {"typedef", "using"})) return "";
  return name_before(head, before_arguments(head, open));
}

// "float *a, *b[4] = {...}, c(1)": the last name of each part, before what it is set to.
Names names_of_variables(std::string_view text) {
  Names names;
  int depth = 0;
  std::size_t begin = 0;
  bool is_value = false;  // where < compares, or shifts
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    is_value = is_value || c == '=';
    depth += c == '(' || c == '{' || c == '[' || (c == '<' && !is_value) ? 1 : 0;
    depth -= c == ')' || c == '}' || c == ']' || (c == '>' && !is_value) ? 1 : 0;
    if (at < text.size() && (c != ',' || depth > 0)) continue;
    const std::string_view part = text.substr(begin, at - begin);
    names.insert(name_before(part, std::min(part.find_first_of("=[({:"), part.size())));
    begin = at + 1, is_value = false;
  }
  names.erase("");
  return names;
}

// Of types: all names that may be one that it declares.
Names names_of_type(std::string_view text) {
  if (begins_with_any(text, {"using"})) {
    const std::size_t equals = text.find('=');
    return equals == std::string_view::npos ? Names() : Names{name_before(text, equals)};
  }
  if (begins_with_any(text, {"enum"})) return words_of(text).all;
  const std::size_t close = text.rfind('}');
  if (begins_with_any(text, {"typedef"}))
    return words_of(close == std::string_view::npos ? text : text.substr(close)).all;
  std::size_t end = std::min(text.find('{'), text.size());
  for (std::size_t colon = text.find(':'); colon < end; colon = text.find(':', colon + 2))
    if (text.substr(colon, 2) != "::") end = colon;  // of its bases
  Names names{name_before(text, before_arguments(text, end))};
  if (close != std::string_view::npos) names.merge(words_of(text.substr(close)).all);
  names.erase("");
  return names;
}

Piece piece_of(std::string_view plain, std::size_t begin, std::size_t end, const std::string& function) {
  Piece piece;
  piece.begin = begin, piece.end = end;
  const std::string_view whole = plain.substr(begin, end - begin);
  std::string_view text = without_template(whole);
  if (text.ends_with(";")) text.remove_suffix(1);
  const Names words = words_of(whole.substr(0, whole.find('{'))).all;
  piece.is_constexpr = words.contains("constexpr");
  piece.is_constant = piece.is_constexpr || words.contains("const");
  using What = Piece::What;
  const bool has_own_words =
      begins_with_any(text, {"namespace", "static_assert", "asm", "template", "using namespace"});
  if (!function.empty()) {
    piece.what = What::function, piece.names = {function};
  } else if (has_own_words || (text.starts_with("using") && text.find('=') == std::string_view::npos)) {
    piece.what = What::other;
  } else if (const std::string name = function_name(text); !name.empty()) {
    piece.what = What::prototype, piece.names = {name};
  } else if (is_type(text)) {
    piece.what = What::type, piece.names = names_of_type(text);
  } else {
    piece.names = names_of_variables(text);
    if (!piece.names.empty()) piece.what = What::variable;
  }
  return piece;
}

}  // namespace

std::vector<Piece> pieces_of(std::string_view plain) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  int depth = 0, brackets = 0;
  std::string function;
  const auto finish = [&](std::size_t end) {
    begin = std::min(plain.find_first_not_of(" \t\r\n;}", begin), end);
    if (begin < end) pieces.push_back(piece_of(plain, begin, end, function));
    begin = end, function.clear();
  };
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const char c = plain[at];
    if (c == '(') ++brackets;
    if (c == ')') --brackets;
    if (c == '{' && depth == 0) {
      const std::size_t first = std::min(plain.find_first_not_of(" \t\r\n;}", begin), at);
      const std::string_view head = plain.substr(first, at - first);
      const bool is_space_of_names =
          begins_with_any(head, {"namespace", "inline namespace"}) || head.starts_with("extern \"");
      if (is_space_of_names && head.find('(') == std::string_view::npos) {
        begin = at + 1;
        continue;
      }
      function = function_name(head);
    }
    if (c == '{') ++depth;
    if (c == '}' && depth > 0 && --depth == 0 && !function.empty() && brackets == 0) finish(at + 1);
    if (c == ';' && depth == 0 && brackets == 0) finish(at + 1);
  }
  return pieces;
}

Words words_of(std::string_view plain) {
  Words words;
  for (std::size_t at = 0; at < plain.size();) {
    if (!is_of_name(plain[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < plain.size() && is_of_name(plain[end])) ++end;
    const std::size_t next = plain.find_first_not_of(" \t\r\n", end);
    const char after = next == std::string_view::npos ? ' ' : plain[next];
    const char before = at == 0 ? ' ' : plain[at - 1];
    const std::string word(plain.substr(at, end - at));
    words.all.insert(word);
    if (after == '(' || after == '<' || before == '<' || before == '&') words.called.insert(word);
    at = end;
  }
  return words;
}

std::map<std::string, Words, std::less<>> macros_of(std::string_view source) {
  std::map<std::string, Words, std::less<>> macros;
  constexpr std::string_view kDefine = "define";
  for (std::size_t at = source.find('#'); at != std::string_view::npos; at = source.find('#', at + 1)) {
    const std::size_t word = source.find_first_not_of(" \t", at + 1);
    if (word == std::string_view::npos || !source.substr(word).starts_with(kDefine)) continue;
    std::size_t begin = std::min(source.find_first_not_of(" \t", word + kDefine.size()), source.size());
    std::size_t end = begin, line = source.find('\n', begin);
    while (end < source.size() && is_of_name(source[end])) ++end;
    while (line != std::string_view::npos && line > 0 &&
           source[source.find_last_not_of("\r", line - 1)] == '\\')
      line = source.find('\n', line + 1);
    line = std::min(line, source.size());
    Words& words = macros[std::string(source.substr(begin, end - begin))];
    Words own = words_of(source.substr(end, line - end));
    words.all.merge(own.all), words.called.merge(own.called);
  }
  return macros;
}

}  // namespace warplens::compile
