// The grammar of PTX instructions as a table: one row an instruction, with the modifiers it may carry, the
// types it takes and the forms of its operands. decode() turns the dotted word of an instruction into a
// half-filled Instruction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/ptx/program.hpp"

namespace warplens::ptx {

// What a modifier is. A word such as `.lo` is a comparison on setp and a part of the product on mul: the row
// decides.
enum class Group : std::uint8_t {
  type,
  space,
  rounding,
  compare,
  bool_op,
  part,
  atomic,
  lane,
  cache,
  vector,
  shape,
  layout,
  fragment,
  count,
  permute,
  test,
  ftz,
  saturate,
  approximate,
  full,
  uniform,
  to,
  semantics,
  scope,
  trans,
  nan,
  relu,
  xor_sign,
  abs,
  wrap,
  direction,
  carry,
  sync,
  noftz,
  hint,
  level,
  shift_amount,
  dimension,
  detail,
};
using Groups = std::uint64_t;
constexpr Groups bit(Group group) { return Groups{1} << static_cast<int>(group); }

using Types = std::uint32_t;
constexpr Types bit(Type type) { return Types{1} << static_cast<int>(type); }

// Operand forms: alternatives separated by '/', told apart by their number of operands. One letter an
// operand:
//   written  d type   w twice the type for .wide   D 32 bits   q predicate   e type or wider
//            v the .vN registers of a load   k type, or {..} that unpacks it   x registers of a matrix
//            (a | after it allows a second one, a predicate)
//   read     s type   t the second type, else the type   W as w   u 32 bits   U 32 bits or a predicate   h 16 bits
//            p predicate, also !p
//            r type or wider   a address
//            V the .vN registers of a store
//            K type, or {..} packed   X registers of a matrix
//   others   m memory   M memory with coordinates, [map, {x, y}]   l label   T branch table   c the parts of a
//            call
struct Row {
  std::string_view name;
  Opcode opcode;
  std::uint8_t least_types, most_types;
  Types types;  // those the first type suffix may be
  Groups required;
  Groups optional;
  std::string_view forms;
  std::string_view section;  // of the PTX ISA, version 8.7 and 9.0
};
std::span<const Row> grammar();
Groups required_groups(Opcode opcode);

struct Form {
  std::array<char, 8> letters{};
  std::uint8_t count = 0;
  bool pair = false;  // the first operand may be d|p
};

struct Decoded {
  Instruction prototype;  // everything but operands, guard and places
  std::array<Form, 4> forms{};
  std::uint8_t form_count = 0;
  bool cache_policy = false;  // .L2::cache_hint: the last operand is a policy, which changes nothing here
  std::string problem;        // not empty: the word is wrong, and how
  std::string left_out;       // what CUDA calls that which the word belongs to, and which nobody reads here
  std::string next_step;
};
Decoded decode(std::string_view word);

// A type or space word of a directive, with its dot; none / false where it is not one.
Type type_of(std::string_view directive);
bool space_of(std::string_view directive, Space& space);

}  // namespace warplens::ptx
