#include "engine/source/pieces.hpp"

#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::source {
namespace {

bool begins_with_any(std::string_view head, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return is_word_at(head, 0, word); });
}

// The name that ends before `end`, blanks passed over; empty: none does.
std::string name_before(std::string_view text, std::size_t end) {
  return std::string(word_before(text, before_blanks(text, end)));
}

// Where the arguments of a template begin that end before `end`, as of "Exp<float>"; else `end`.
std::size_t before_arguments(std::string_view text, std::size_t end) {
  std::size_t at = before_blanks(text, end);
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
    const std::size_t behind = behind_bracket(text, text.find('<'));
    if (behind == kNowhere || trimmed(text.substr(behind)).empty()) return text;
    text = trimmed(text.substr(behind));
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

Words words_of(std::string_view code) {
  Words words;
  Tokens tokens(code);
  for (auto token = tokens.next(); token; token = tokens.next()) {
    if (token->kind != Token::Kind::name) continue;
    const std::size_t next = behind_blanks(code, token->end);
    const char after = next < code.size() ? code[next] : ' ',
               before = token->begin == 0 ? ' ' : code[token->begin - 1];
    const auto word = words.all.emplace(tokens.text(*token)).first;
    if (after == '(' || after == '<' || before == '<' || before == '&') words.called.insert(*word);
  }
  return words;
}

std::map<std::string, Words, std::less<>> macros_of(std::string_view source) {
  std::map<std::string, Words, std::less<>> macros;
  for (const Directive& directive : directives_of(source)) {
    if (directive.word != "define") continue;
    const Definition definition = definition_of(directive.rest);
    Words& words = macros[std::string(definition.name)];
    Words own = words_of(std::string_view(directive.rest).substr(definition.name.size()));
    words.all.merge(own.all), words.called.merge(own.called);
  }
  return macros;
}

}  // namespace warplens::source
