// Which addresses an instruction uses and for which lanes, as PTX text for the rewriters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/emulator/observer.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::instrument {

// A cp.async has two: one reads, the other writes.
struct MemorySide {
  const ptx::Operand* memory = nullptr;   // the operand with its address
  ptx::Space space = ptx::Space::global;  // generic: each lane's own
  emulator::AccessKind kind = emulator::AccessKind::load;
  std::uint8_t width = 4;  // bytes a lane
  std::string only = {};   // statements that set %warplens_only, by %warplens_word, and ...
  bool narrowed = false;   // ... whether the side is only for lanes where it is true
};

// program and entry must outlive it.
class MemorySides {
 public:
  MemorySides(const ptx::Program& program, const ptx::Function& entry) : program_(program), entry_(entry) {}

  // In the order in which the emulator reports them. Of ld, st, atom, red, cp.async, ldmatrix and stmatrix;
  // memory of every space but that of parameters and constants, which never fails.
  std::vector<MemorySide> of(const ptx::Instruction& i) const;

  // What the compiler calls a register, variable or number.
  std::string name(const ptx::Operand& operand) const;
  // Statements that set %warplens_address, by %warplens_word. An address of 32 bits wraps at 32 bits.
  std::string address(const ptx::Operand& memory) const;
  // Statements that set %warplens_only to the lanes of a side that is narrowed, by %warplens_guard.
  std::string narrow(const ptx::Instruction& i, const MemorySide& side) const;

 private:
  std::vector<MemorySide> copy_sides(const ptx::Instruction& i, const MemorySide& side) const;
  MemorySide matrix_side(const ptx::Instruction& i, MemorySide side) const;
  bool is_32_bit(const ptx::Operand& operand) const;

  const ptx::Program& program_;
  const ptx::Function& entry_;
};

}  // namespace warplens::instrument
