// What an expression is once it is parsed. All languages of the program have this tree; what its names mean
// and what it comes to is up to the evaluator of each.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warplens::expression {

enum class Op : std::uint8_t {
  none,
  either,
  both,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  unequal,
  less,
  at_most,
  more,
  at_least,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power,
  // before their operand
  negate,
  negation,    // not
  complement,  // of bits
};

inline constexpr std::size_t kMostArguments = 64;  // of a call, those with a name apart

struct Node {
  enum class Kind : std::uint8_t {
    number,
    text,     // 'ld'
    name,     // TILE
    call,     // min(1, 2): parts are the arguments
    element,  // in[i], A[row, column]: the array and its indices
    prefix,   // -a
    infix,    // a + b
    choose,   // a ? b : c
    cast,     // (float)a: text is the type
  };
  Kind kind = Kind::number;
  Op op = Op::none;                  // of prefix and infix
  bool is_whole = true;              // a number without point and exponent
  std::uint16_t depth = 1;           // so many nodes stand in one another here
  std::uint32_t begin = 0, end = 0;  // in the text
  std::uint32_t sign = 0;            // where an operator's sign begins, or the name itself behind a dot
  std::int32_t slot = 0;             // for the evaluator: what it knows the name by
  double number = 0;
  std::int64_t whole = 0;  // the number, where a language has whole ones alone
  std::string text = {};   // of a text, a name, a call, a type
  std::vector<Node> parts = {};
  std::vector<std::pair<std::string, Node>> named = {};  // f(TILE = 16)
  std::vector<Node> of = {};  // what stands before a dot: run(...).blocks; one at most
};

}  // namespace warplens::expression
