#include "engine/source/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"

namespace warplens::source {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

// Whether the line that ends before `at_` is continued: "\\", also before the "\r" of Windows.
bool Tokens::goes_on() const {
  std::string_view before = code_.substr(0, at_);
  if (before.ends_with('\r')) before.remove_suffix(1);
  return before.ends_with('\\');
}

void Tokens::pass_blanks() {
  for (; at_ < code_.size() && is_space(code_[at_]); ++at_) {
    if (code_[at_] != '\n') continue;
    if (!goes_on()) in_directive_ = false, begins_line_ = true, names_header_ = false;
    ++line_, line_begin_ = at_ + 1;
  }
}

// Of a token that began at `begin` and may be of several lines.
void Tokens::pass_lines(std::size_t begin) {
  const std::string_view passed = code_.substr(begin, at_ - begin);
  const std::size_t last = passed.rfind('\n');
  if (last == std::string_view::npos) return;
  line_ += static_cast<int>(std::ranges::count(passed, '\n'));
  line_begin_ = begin + last + 1;
}

void Tokens::take_comment(std::size_t from) {
  const std::size_t close = code_.find("*/", from);
  if (close == std::string_view::npos) within_ = Within::comment;
  at_ = close == std::string_view::npos ? code_.size() : close + 2;
}

// To the quote that closes it, or to the end of its line.
void Tokens::take_text(std::size_t from, char quote) {
  for (at_ = from; at_ < code_.size() && code_[at_] != quote && code_[at_] != '\n';)
    at_ += code_[at_] != '\\' ? 1 : at(at_ + 1) == '\r' ? 3 : 2;
  const bool is_open = at_ >= code_.size();
  at_ = std::min(at_, code_.size());
  if (is_open && quote == '"' && goes_on()) within_ = Within::text;
  if (at(at_) == quote) ++at_;
}

// R"mark(...)mark", at the quote; false: it is no such text.
bool Tokens::take_raw_text() {
  const std::size_t open = code_.find('(', at_);
  if (open == std::string_view::npos || open - at_ > 17) return false;  // [lex.string]: 16 characters at most
  const std::string mark = ")" + std::string(code_.substr(at_ + 1, open - at_ - 1)) + "\"";
  const std::size_t close = code_.find(mark, open);
  if (close == std::string_view::npos) return false;
  at_ = close + mark.size();
  return true;
}

// <vector>
bool Tokens::take_header() {
  const std::size_t close = code_.find_first_of(">\n", at_);
  if (close == std::string_view::npos || code_[close] == '\n') return false;
  at_ = close + 1;
  return true;
}

// [lex.ppnumber]
void Tokens::take_number() {
  while (is_of_name(at(at_)) || at(at_) == '.' || (at(at_) == '\'' && is_of_name(at(at_ + 1))) ||
         ((at(at_) == '+' || at(at_) == '-') &&
          std::string_view("eEpP").find(code_[at_ - 1]) != std::string_view::npos))
    ++at_;
}

Token::Kind Tokens::take_directive() {
  in_directive_ = true;
  std::size_t word = std::min(code_.find_first_not_of(" \t", at_ + 1), code_.size());
  at_ = word;
  while (is_of_name(at(at_))) ++at_;
  names_header_ = code_.substr(word, at_ - word) == "include";
  return Token::Kind::directive;
}

Token::Kind Tokens::take() {
  using Kind = Token::Kind;
  const char c = code_[at_], behind = at(at_ + 1);
  const bool was_first = std::exchange(begins_line_, false),
             names_header = std::exchange(names_header_, false);
  if (c == '/' && behind == '*') {
    begins_line_ = was_first, names_header_ = names_header;
    return take_comment(at_ + 2), Kind::comment;
  }
  if (c == '/' && behind == '/') {
    do at_ = std::min(code_.find('\n', at_ + 1), code_.size());
    while (at_ < code_.size() && goes_on());
    return Kind::comment;
  }
  if (c == '#' && was_first && !in_directive_) return take_directive();
  if (c == '"' || c == '\'') return take_text(at_ + 1, c), Kind::text;
  if (c == '<' && names_header && take_header()) return Kind::text;
  if (is_digit(c) || (c == '.' && is_digit(behind))) return take_number(), Kind::number;
  if (!is_of_name(c)) return ++at_, Kind::sign;
  const std::size_t begin = at_;
  while (is_of_name(at(at_))) ++at_;
  const std::string_view name = code_.substr(begin, at_ - begin);
  const bool is_raw =
      at(at_) == '"' && (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R");
  return is_raw && take_raw_text() ? Kind::text : Kind::name;
}

std::optional<Token> Tokens::next() {
  const Within begins_in = at_ == 0 && !(code_.empty() && within_ == Within::comment)
                               ? std::exchange(within_, Within::code)
                               : Within::code;
  const bool goes_on_inside = !code_.empty() && (begins_in == Within::comment || begins_in == Within::text);
  if (!goes_on_inside) pass_blanks();
  if (at_ >= code_.size()) {
    if (within_ == Within::code && in_directive_ && goes_on()) within_ = Within::directive;
    return std::nullopt;
  }
  Token token{Token::Kind::sign, at_, at_, line_, static_cast<int>(at_ - line_begin_) + 1, false};
  if (goes_on_inside && begins_in == Within::comment)
    take_comment(0), token.kind = Token::Kind::comment;
  else if (goes_on_inside)
    take_text(0, '"'), token.kind = Token::Kind::text;
  else
    token.kind = take();
  token.end = at_;
  token.in_directive = in_directive_;
  if (token.kind == Token::Kind::comment || token.kind == Token::Kind::text) pass_lines(token.begin);
  return token;
}

std::vector<Directive> directives_of(std::string_view code) {
  std::vector<Directive> directives;
  Tokens tokens(code);
  std::size_t last = 0;  // behind the token before
  for (auto token = tokens.next(); token; token = tokens.next()) {
    if (token->kind == Token::Kind::directive) {
      const std::size_t line = code.rfind('\n', token->begin);
      const std::string_view word = trimmed(tokens.text(*token).substr(1));
      directives.push_back({word, "", line == std::string_view::npos ? 0 : line + 1, token->end});
    } else if (token->in_directive && !directives.empty()) {
      Directive& directive = directives.back();
      directive.end = token->end;
      const std::string_view text = tokens.text(*token);
      const bool is_blank =
          token->kind == Token::Kind::comment ||
          (text == "\\" && code.find_first_not_of("\r", token->end) == code.find('\n', token->end));
      if ((last < token->begin || is_blank) && !directive.rest.empty() && !directive.rest.ends_with(' '))
        directive.rest += ' ';
      if (!is_blank) directive.rest += text;
    }
    last = token->end;
  }
  for (Directive& directive : directives) {
    directive.rest = trimmed(directive.rest);
    directive.end = std::min(code.find('\n', directive.end), code.size());
  }
  return directives;
}

Definition definition_of(std::string_view rest) {
  Definition definition;
  std::size_t end = 0;
  while (end < rest.size() && is_of_name(rest[end])) ++end;
  definition.name = rest.substr(0, end);
  rest.remove_prefix(end);
  definition.takes_arguments = rest.starts_with('(');
  if (definition.takes_arguments) {
    const std::size_t close = std::min(rest.find(')'), rest.size() - 1);
    definition.parameters = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
  }
  definition.body = trimmed(rest);
  return definition;
}

namespace {

// "k<< <g, b>> >(x)", as some formatters write a launch: its brackets together, the blanks behind them.
void join_brackets(std::string& plain, std::size_t from, char bracket) {
  std::size_t at = from;
  for (int found = 0; found < 3; ++at)
    if (plain[at] == bracket) std::swap(plain[at], plain[from + static_cast<std::size_t>(found++)]);
}
// Where three of them are with nothing but blanks between.
std::size_t find_three(std::string_view plain, std::size_t from, char bracket) {
  for (std::size_t at = from; (at = plain.find(bracket, at)) != std::string_view::npos; ++at) {
    std::size_t next = at;
    int found = 0;
    while (next < plain.size() && plain[next] == bracket && found < 3)
      ++found, next = plain.find_first_not_of(" \t\r\n", next + 1);
    if (found == 3) return at;
  }
  return std::string_view::npos;
}
void join_launches(std::string& plain) {
  for (std::size_t at = 0; (at = find_three(plain, at, '<')) != std::string_view::npos;) {
    const std::size_t end = find_three(plain, at, '>');
    if (end == std::string_view::npos) return;
    join_brackets(plain, at, '<');
    join_brackets(plain, end, '>');
    at = end;
  }
}

}  // namespace

std::string blanked(std::string_view code) {
  std::string plain(code);
  Tokens tokens(code);
  for (auto token = tokens.next(); token; token = tokens.next()) {
    std::size_t begin = token->begin, end = token->end;
    if (token->kind == Token::Kind::text && !token->in_directive) {  // its quotes stay
      begin = code.find_first_of("\"'", begin) + 1;
      end -= end > begin && code[end - 1] == code[begin - 1] ? 1 : 0;
    } else if (token->kind != Token::Kind::comment && !token->in_directive) {
      continue;
    }
    for (std::size_t at = begin; at < end; ++at)
      if (plain[at] != '\n') plain[at] = ' ';
  }
  join_launches(plain);
  return plain;
}

}  // namespace warplens::source
