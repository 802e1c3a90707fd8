// CUDA C++ as tokens with their places: what all readers of kernel files begin with. No more is known of a token
// than how it is written (C++20, [lex.pptoken]); names are not looked up and macros not put in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

struct Token {
  enum class Kind : std::uint8_t {
    name,
    number,
    text,       // with its quotes: "text", 'c', R"(raw)", and <vector> behind #include
    sign,       // one character
    comment,    // with what begins and ends it
    directive,  // "#" and the word behind it: "# include"
  };
  Kind kind = Kind::sign;
  std::size_t begin = 0, end = 0;  // bytes from the beginning
  int line = 1, column = 1;        // of its first byte, from 1
  bool in_directive =
      false;  // on a line of the preprocessor, the lines that a backslash joins to it included
};

// What a piece of code begins in, where it is read line by line.
enum class Within : std::uint8_t { code, comment, directive, text };

// The tokens one after the other; blanks are passed over.
class Tokens {
 public:
  explicit Tokens(std::string_view code, Within within = Within::code)
      : code_(code), within_(within), in_directive_(within == Within::directive) {}
  std::optional<Token> next();
  // What the code behind the last token begins in. A line has no '\n' at its end then.
  Within within() const { return within_; }
  std::string_view text(const Token& token) const {
    return code_.substr(token.begin, token.end - token.begin);
  }

 private:
  void pass_blanks();
  void pass_lines(std::size_t begin);
  Token::Kind take();
  void take_comment(std::size_t from);
  void take_text(std::size_t from, char quote);
  bool take_raw_text();
  bool take_header();
  void take_number();
  Token::Kind take_directive();
  bool goes_on() const;
  char at(std::size_t place) const { return place < code_.size() ? code_[place] : '\0'; }

  std::string_view code_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
  Within within_;
  bool in_directive_, begins_line_ = true, names_header_ = false;
};

// A line of the preprocessor: "#define T 16" has the word "define" and the rest "T 16".
struct Directive {
  std::string_view word;
  std::string rest;                // without comments, its lines joined; "" too where there is no more
  std::size_t begin = 0, end = 0;  // of its whole lines, without the last '\n'
};
std::vector<Directive> directives_of(std::string_view code);
// Of the rest behind "define": the name, what is in the brackets right behind it, and what it stands for.
struct Definition {
  std::string_view name, parameters, body;
  bool takes_arguments = false;
};
Definition definition_of(std::string_view rest);

// The code with comments, insides of texts and lines of the preprocessor as blanks; every character stays where it
// is, so that a place in it is a place in the code; but the brackets of a launch, "<< <", stand together, "<<< ".
std::string blanked(std::string_view code);

}  // namespace warplens::source
