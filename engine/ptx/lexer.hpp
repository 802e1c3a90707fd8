// PTX text -> tokens, one at a time, without copies. PTX ISA 4.1 to 4.5 (source format, identifiers,
// constants).
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,       // identifier with its dotted parts: "ld.global.L2::128B", "%tid.x", "$L__BB0_1", "_"
    directive,  // one dotted part on its own: ".reg", ".b32", ".shared::cta"
    number,     // as written, without sign
    string,     // without the quotes
    symbol,     // one character of punctuation, or one that PTX does not know
  };
  Kind kind = Kind::end;
  std::string_view text;
  int line = 0;  // from 1

  bool is(char c) const { return kind == Kind::symbol && text[0] == c; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return token_; }
  Token take() {
    const Token taken = token_;
    advance();
    return taken;
  }
  // Takes the token if it is this character.
  bool take(char c) {
    if (!token_.is(c)) return false;
    advance();
    return true;
  }

 private:
  void advance();
  void skip_blank();
  void lex_word(const char* begin);
  void lex_number(const char* begin);
  void lex_string(const char* begin);

  const char* at_;
  const char* end_;
  int line_ = 1;
  Token token_;
};

}  // namespace warplens::ptx
