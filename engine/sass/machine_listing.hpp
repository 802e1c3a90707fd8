// The machine code of a run, instruction by instruction: what each is, the schedule that the compiler wrote
// into it, where it is from, and what it did.
//
// Where an instruction is from, ptxas says: for each the line of the PTX and the line of the source. How
// often it ran is made of the emulator's counts of the PTX and of the flow of the machine code (engine/time).
// What an access cost was counted for the PTX's; where ptxas made several of one, as of a loop that it
// unrolled, they share it by how often each ran.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/run/run.hpp"
#include "engine/sass/nvdisasm.hpp"

namespace warplens::sass {

struct Row {
  std::uint32_t address = 0;  // bytes from the kernel's first instruction
  std::string text;           // as nvdisasm has it, else what is known here: "@!P0 LDG.64"
  int stall = 0;              // cycles until the warp's next instruction
  bool yields = false;        // another warp comes first
  // Barriers, 0 to 5, that count it until it has written, or read, its registers; -1: none.
  int write_barrier = -1, read_barrier = -1;
  std::uint8_t waits = 0;  // bit i: for barrier i
  int live_registers = 0;  // 0: not known
  int line = 0;            // of the kernel's file; 0: not known
  int kernel_line = 0;     // the same, or that of the call where it stands in a device function
  int pc = -1;  // of the PTX that it is from, for accesses that ptxas vectorized the first; -1: none
  bool is_access = false;  // and makes that instruction's accesses
  double executed = 0;     // by warps, of the counted blocks
  double sectors = 0, wavefronts = 0;
  bool operator==(const Row&) const = default;
};

struct Listing {
  std::vector<Row> rows;
  std::string architecture;           // "sm_90"
  int registers = 0;                  // of a thread
  bool is_counted = false;            // else nothing is known of what instructions did
  std::optional<Error> without_text;  // why there is no text of nvdisasm

  // The row at an address; rows.size() where there is none.
  std::size_t row_at(std::uint32_t address) const;
};

// Errors: a device for which no compiler makes machine code; machine code that cannot be read.
Result<Listing> list(const run::Run& run, Disassembler& disassembler);

// Of accesses that ptxas vectorized, the one that has their counts; else the same.
int leader_of(const run::Run& run, int pc);

// "0 2 5": of Row::waits.
std::string barriers_text(std::uint8_t waits);

}  // namespace warplens::sass
