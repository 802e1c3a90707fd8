// Test support: every scalar form that the PTX ISA lists, as a table, and inputs for it. Not part of the
// product.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/emulator/semantics/semantics.hpp"

namespace warplens::emulator {

struct Form {
  std::string text;         // "mad.hi.sat.s32"
  std::string destination;  // operand kinds, see operand_type
  std::string sources;
  bool approximate = false;   // not bit-equal to the hardware
  bool needs_sm_100 = false;  // PTX ISA 8.6 and later, for Blackwell
};

// All forms, the braces of the table expanded.
std::vector<Form> all_forms();

// The instruction of a form: its modifiers from the text, its operands registers (numbered from 0,
// destinations first).
ptx::Instruction instruction_of(const Form& form);

// What a letter of destination or sources means for the instruction: T its type, S its source type, W twice
// its width, U u32, B b32, P a predicate, F f32, I an 8-bit immediate, H b16, D b64, N s32.
ptx::Type operand_type(const ptx::Instruction& instruction, char letter);

// The index-th of a fixed endless series of inputs for a form: special values and random bits, the same on
// every run.
LaneInputs inputs_of(const Form& form, const ptx::Instruction& instruction, std::uint32_t index);

// A hash of a series of results: FNV-1a over the first destination and, where there is one, the second or the
// carry.
class Digest {
 public:
  void add(const ptx::Instruction& instruction, const LaneResult& result);
  std::uint64_t value() const { return hash_; }

 private:
  void add_word(std::uint64_t word);
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace warplens::emulator
