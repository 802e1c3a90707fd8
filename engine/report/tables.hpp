// What a run did, instruction by instruction and line by line of the kernel file. Pure functions of its
// counters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::report {

// The kernel's own file: index into program.files; -1 where the PTX has no line information. It is the file
// with most of the function's code, not counting what was inlined from elsewhere.
int kernel_file(const ptx::Function& function, const ptx::Program& program);

// The line of the kernel file that an instruction belongs to; 0 where unknown. Code inlined from another file
// belongs to the line that called it; a device function of the kernel file has lines of its own. first: lines
// before it do not count.
int kernel_line(const ptx::Function& function, std::size_t pc, int file, int first = 1);

// By pc: the line in the text of the kernel itself. For an instruction of a device function that was inlined,
// the line that calls it there. code: the kernel's file.
std::vector<int> kernel_lines(const ptx::Function& function, const ptx::Program& program,
                              std::string_view code);

// Traffic by the kind of memory. mixed: accesses through generic addresses that met more than one kind.
struct Traffic {
  emulator::AccessCounts global, shared, local, mixed;
};

struct InstructionRow {
  std::uint32_t pc = 0;
  int line = 0;
  std::string text;  // as PTX
  emulator::InstructionCounters counters;
  double active_lanes = 0;  // mean over the warps that executed it; 0 where none did
};
std::vector<InstructionRow> instruction_table(const emulator::Counters& counters,
                                              const ptx::Function& function, const ptx::Program& program);

// Thread instructions for each 32 times a warp instruction: how many of the lanes do something.
inline double lane_efficiency(std::uint64_t thread_instructions, std::uint64_t warp_instructions) {
  return warp_instructions == 0
             ? 1
             : static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

struct LineRow {
  int line = 0;                           // 0: instructions without a line
  std::uint64_t executed = 0;             // warp instructions
  std::uint64_t thread_instructions = 0;  // lanes active in them
  std::uint64_t diverged = 0;             // warps whose lanes a branch sent different ways
  Traffic traffic;
  std::vector<std::uint32_t> instructions;  // pcs, ascending
  // Shares of the whole run, 0 to 1.
  double executed_share = 0;
  double sector_share = 0;     // of global memory
  double wavefront_share = 0;  // of shared memory
  // Of the lanes of the warps that executed it, the share that was active: 0 to 1, 1 where nothing ran.
  double lane_efficiency() const { return report::lane_efficiency(thread_instructions, executed); }
};
struct LineTable {
  std::string file;           // as the PTX names it
  std::vector<LineRow> rows;  // ascending lines; those with instructions, executed or not
  LineRow total;              // its shares are 1, or 0 where there is nothing to share
};
LineTable line_table(const emulator::Counters& counters, const ptx::Function& function,
                     const ptx::Program& program);

}  // namespace warplens::report
