// PTX constants: the text of a number, and its bits in the type of an operand. PTX ISA 4.5 "Constants".
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/ptx/opcodes.hpp"

namespace warplens::ptx {

struct Literal {
  enum class Kind : std::uint8_t { integer, single_bits, real };
  Kind kind = Kind::integer;
  std::uint64_t bits = 0;  // integer: two's complement, 64 bits; single_bits: the 32 bits of 0f...; real: the
                           // 64 bits of a double
};

// False where the text is no PTX number or does not fit in 64 bits.
bool parse_literal(std::string_view text, bool negative, Literal& literal);

// Integers sign- or zero-extended to 64 bits by the type's signedness, floats as their bits. Untyped bits
// (.b32) take an integer's low bits or a float's bits; packed and 16-bit floats take an integer as their
// bits.
std::uint64_t to_bits(const Literal& literal, Type type);

}  // namespace warplens::ptx
