#include "engine/ptx/parser.hpp"

#include "engine/ptx/reader.hpp"

namespace warplens::ptx {

Parsed parse(std::string_view text, std::string_view text_name) { return Reader(text, text_name).read(); }

// The small steps that every part of the reader takes.

bool Reader::fail(int line, std::string message, std::string next_step) {
  if (!full()) errors_.push_back({std::move(message), std::move(next_step), {text_name_, line, 0}});
  return false;
}

std::string Reader::quoted(std::string_view text) { return "'" + std::string(text.substr(0, 60)) + "'"; }

bool Reader::expected(std::string_view what) {
  const Token& token = lexer_.peek();
  const std::string found = token.kind == Token::Kind::end ? "the end of the text" : quoted(token.text);
  return fail(token.line, "expected " + std::string(what) + " and found " + found,
              token.kind == Token::Kind::end ? "check that the PTX is complete"
                                             : "check the statement's spelling against the PTX ISA");
}

bool Reader::expect(char c) { return lexer_.take(c) || expected(quoted({&c, 1})); }

bool Reader::read_word(std::string_view& word, std::string_view what) {
  if (lexer_.peek().kind != Token::Kind::word) return expected(what);
  word = lexer_.take().text;
  return true;
}

bool Reader::read_literal(Literal& literal) {
  bool negative = false, inverted = false;
  while (lexer_.peek().is('-') || lexer_.peek().is('+') || lexer_.peek().is('~')) {
    const char sign = lexer_.take().text[0];
    negative ^= sign == '-';
    inverted ^= sign == '~';
  }
  if (lexer_.peek().kind != Token::Kind::number) return expected("a number");
  const Token token = lexer_.take();
  if (!parse_literal(token.text, negative, literal))
    return fail(token.line, "bad number " + quoted(token.text),
                "write a PTX constant that fits in 64 bits, such as 12, 0x1F or 0f3F800000");
  if (inverted) literal.bits = ~literal.bits;
  return true;
}

bool Reader::read_integer(std::uint64_t& value, std::string_view what) {
  if (lexer_.peek().kind != Token::Kind::number) return expected(what);
  Literal literal;
  if (!read_literal(literal)) return false;
  value = literal.bits;
  if (literal.kind == Literal::Kind::integer) return true;
  return fail(line_, std::string(what) + " is not an integer", "write it as a whole number");
}

// What follows a base: any number of +4, -8, +-8.
bool Reader::read_offset(std::int64_t& offset) {
  while (lexer_.peek().is('+') || lexer_.peek().is('-')) {
    Literal literal;
    if (!read_literal(literal)) return false;
    if (literal.kind != Literal::Kind::integer)
      return fail(line_, "an offset is not an integer", "write it in whole bytes");
    offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) + literal.bits);
  }
  return true;
}

// To just after the statement's semicolon, or to a brace that ends or opens a block.
void Reader::skip_statement() {
  for (int depth = braces_;; lexer_.take()) {
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::end) break;
    if (token.is('{')) ++depth;
    if (token.is('}') && --depth < 0) break;
    if (lexer_.take(';')) break;
  }
  braces_ = 0;
}

// At `{`: to just after its `}`.
void Reader::skip_block() {
  int depth = 0;
  do {
    const Token token = lexer_.take();
    if (token.kind == Token::Kind::end) return;
    depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
  } while (depth > 0);
}

}  // namespace warplens::ptx
