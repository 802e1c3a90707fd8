// What machine code makes of one PTX instruction: how many instructions of which unit. Read off machine code
// of 9.0 (ptxas 13.0); of divisions and their kind the way that is nearly always taken.
#pragma once

#include <array>
#include <cstdint>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::time {

// Instructions of each unit, in this order; none where it becomes part of another or nothing at all.
struct PtxWork {
  struct Piece {
    Unit unit = Unit::none;
    std::uint8_t count = 0;
  };
  std::array<Piece, 4> pieces{};
  int instructions() const;
};
// old: 1.x and 2.x, whose addresses have 32 bits, where thread indices are at hand and 24-bit products are
// single instructions (CUDA C Programming Guide 4.2, 5.4.1).
PtxWork work_of(const ptx::Instruction& instruction, bool old = false);
// Of a shared access that another one carries: nothing.
PtxWork work_at(const ptx::Function& function, std::uint32_t pc,
                const std::vector<emulator::VectorizedAccess>& accesses, bool old = false);

}  // namespace warplens::time
