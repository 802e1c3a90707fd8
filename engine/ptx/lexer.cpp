#include "engine/ptx/lexer.hpp"

#include <array>
#include <cstring>

namespace warplens::ptx {
namespace {

enum : std::uint8_t { kWordStart = 1, kWordPart = 2, kDigit = 4, kBlank = 8 };

consteval std::array<std::uint8_t, 256> classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = kWordStart | kWordPart;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = kWordStart | kWordPart;
  for (int c = '0'; c <= '9'; ++c) table[c] = kDigit | kWordPart;
  for (int c : {'_', '$', '%'}) table[c] = kWordStart | kWordPart;
  for (int c : {' ', '\t', '\r', '\n', '\f', '\v'}) table[c] = kBlank;
  return table;
}
constexpr std::array<std::uint8_t, 256> kClasses = classes();

bool is(char c, std::uint8_t mask) { return (kClasses[static_cast<unsigned char>(c)] & mask) != 0; }

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

Lexer::Lexer(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) { advance(); }

void Lexer::skip_blank() {
  while (at_ != end_) {
    if (is(*at_, kBlank)) {
      line_ += *at_ == '\n';
      ++at_;
    } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '/') {
      const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = newline ? static_cast<const char*>(newline) : end_;
    } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '*') {
      at_ += 2;
      while (at_ != end_ && !(*at_ == '*' && end_ - at_ > 1 && at_[1] == '/')) line_ += *at_++ == '\n';
      at_ = end_ - at_ > 1 ? at_ + 2 : end_;
    } else {
      return;
    }
  }
}

// A word takes its dotted parts with it; "::" belongs to it, a single colon ends it (a label).
void Lexer::lex_word(const char* begin) {
  token_.kind = Token::Kind::word;
  while (at_ != end_) {
    if (is(*at_, kWordPart)) {
      ++at_;
    } else if (*at_ == '.' && end_ - at_ > 1 && is(at_[1], kWordPart)) {
      at_ += 2;
    } else if (*at_ == ':' && end_ - at_ > 2 && at_[1] == ':' && is(at_[2], kWordPart)) {
      at_ += 3;
    } else {
      break;
    }
  }
  token_.text = between(begin, at_);
}

void Lexer::lex_number(const char* begin) {
  token_.kind = Token::Kind::number;
  const char second = end_ - at_ > 1 ? at_[1] : '\0';
  const bool hexadecimal = *at_ == '0' && second != '\0' && std::strchr("xXfFdD", second) != nullptr;
  while (at_ != end_) {
    const bool sign = (*at_ == '+' || *at_ == '-') && !hexadecimal && (at_[-1] == 'e' || at_[-1] == 'E');
    if (!sign && !is(*at_, kWordPart) && *at_ != '.') break;
    ++at_;
  }
  token_.text = between(begin, at_);
}

void Lexer::lex_string(const char* begin) {
  ++at_;
  while (at_ != end_ && *at_ != '"' && *at_ != '\n')
    at_ += *at_ == '\\' && end_ - at_ > 1 && at_[1] != '\n' ? 2 : 1;
  token_.kind = Token::Kind::string;
  token_.text = between(begin + 1, at_);
  if (at_ != end_ && *at_ == '"') ++at_;
}

void Lexer::advance() {
  skip_blank();
  token_.line = line_;
  if (at_ == end_) {
    token_.kind = Token::Kind::end;
    token_.text = {};
    return;
  }
  const char* begin = at_;
  if (is(*at_, kWordStart)) return lex_word(begin);
  if (is(*at_, kDigit)) return lex_number(begin);
  if (*at_ == '"') return lex_string(begin);
  ++at_;
  if (*begin == '.' && at_ != end_ && is(*at_, kWordStart)) {
    token_.kind = Token::Kind::directive;
    while (at_ != end_ && (is(*at_, kWordPart) || (*at_ == ':' && end_ - at_ > 1 && at_[1] == ':')))
      at_ += *at_ == ':' ? 2 : 1;
  } else {
    token_.kind = Token::Kind::symbol;
  }
  token_.text = between(begin, at_);
}

}  // namespace warplens::ptx
