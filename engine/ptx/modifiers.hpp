// The words after an instruction's name: what group each belongs to, and what it sets.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/ptx/grammar.hpp"

namespace warplens::ptx {

struct Modifier {
  Group group = Group::detail;
  std::uint8_t value = 0;
  std::array<std::uint16_t, 3> shape{};  // of Group::shape
};

// The meaning of a word (without its dot) among the groups that are allowed. False: none of them knows it.
bool find_modifier(std::string_view word, Groups allowed, Modifier& found);

// Sets what the modifier says. seen: the groups that came before it in this instruction.
void apply(const Modifier& modifier, Groups seen, Instruction& instruction);

// The way back: ".rn" for Group::rounding and Rounding::rn, empty for a value that no word names.
std::string_view word_of(Group group, std::uint8_t value);

}  // namespace warplens::ptx
