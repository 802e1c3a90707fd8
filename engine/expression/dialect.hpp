// What a language of expressions has: its operators with their ranks, how its numbers are written, and which
// forms there are beside names, calls' parentheses and a ? b : c, which all have.
//
//   1 + 2 * 3    the right side of an operator takes all operators from its `right` rank up
//
// dialects.hpp has the five languages of the program.
#pragma once

#include <span>
#include <string_view>

#include "engine/expression/tree.hpp"

namespace warplens::expression {

struct Infix {
  std::string_view sign;  // "+", or a word: "and"
  Op op = Op::none;
  int rank = 0;       // the higher the tighter
  int right = 0;      // the least rank in what stands to its right: one more, or for a ^ b ^ c that of -a
  bool once = false;  // not two of this rank in a row
};

struct Prefix {
  std::string_view sign;
  Op op = Op::none;  // none: it changes nothing, such as +
  int rank = 0;      // the least rank in its operand; it stands where that much may stand
};

struct Dialect {
  std::span<const Infix> infix = {};
  std::span<const Prefix> prefix = {};
  std::string_view example = "";  // what an error proposes to write
  std::string_view join = "";     // what two comparisons are joined with

  bool has_fractions = true;              // 1.5 and 1e3; otherwise numbers are whole and have 64 bits
  bool has_hex = false;                   // 0x1F
  std::string_view number_suffixes = "";  // 1.5f
  bool has_elements = false;              // in[i]
  bool has_texts = false;                 // 'ld'
  bool has_members = false;               // run(...).blocks
  bool has_named = false;                 // f(TILE = 16)
  // Whether "float4" is a type, in a language with casts and sizeof; null: there are none. Names then are
  // those of C++: std::max, block.x.
  bool (*is_type)(std::string_view text) = nullptr;
};

}  // namespace warplens::expression
