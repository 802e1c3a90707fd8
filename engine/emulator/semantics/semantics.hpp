// What each scalar PTX instruction computes, for one lane: the whole truth, bit for bit, before any speed.
// The emulator's fast warp-wide handlers are tested against these functions.
#pragma once

#include <cstdint>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// Operand and result values are bit patterns in 64 bits: integers and floats of 8, 16 and 32 bits
// zero-extended, predicates 0 or 1. An operand that the instruction does not have is 0. a, b, c, d: the
// source operands in the order of the PTX text (after the destinations).
struct LaneInputs {
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  bool carry = false;   // the condition-code flag: carry for addc and madc, borrow for subc
  std::uint64_t e = 0;  // the fifth source (lop3.BoolOp's q)
};
struct LaneResult {
  std::uint64_t value = 0;   // the first destination
  std::uint64_t second = 0;  // the second destination (setp p|q, lop3.BoolOp d|p)
  bool carry = false;        // for .cc forms: carry of add.cc and mad.cc, borrow of sub.cc
};
// Bits of an operand above its type's width are ignored, so a caller may pass a whole wider register. Results
// are zero-extended from the instruction's destination type: where cvt writes s8 or s16 into a wider
// register, the caller sign-extends (PTX ISA, "Operand Size Exceeding Instruction-Type Size"). A negated
// predicate source (!q) is negated by the caller.
using LaneFunction = LaneResult (*)(const ptx::Instruction&, const LaneInputs&);

// The function of an arithmetic, logic, comparison, selection, move or conversion instruction (also mov that
// packs or unpacks: a pack gets its elements as a, b, c, d; an unpack is done by the caller). nullptr for an
// instruction that is not scalar (memory, warp, control) or a form that is not known.
LaneFunction lane_function(const ptx::Instruction& instruction);

}  // namespace warplens::emulator
