// The one access of a run that figures show, and the place of its instruction in the source.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/run/run.hpp"

namespace warplens::figures {

struct Place {
  std::size_t block = 0;     // a position in the blocks of the run's trace; run.stories[block] is its story
  std::uint32_t warp = 0;    // in the block
  int lane = 0;              // of the warp
  std::uint32_t access = 0;  // counts the memory accesses of the warp from 0
  int line = 0;              // of the kernel file: the lanes that execute it, instead of an access; 0: none
  bool operator==(const Place&) const = default;
};

// The story of a place's block. Precondition: the block was recorded.
inline const report::AccessStory& story_at(const run::Run& run, const Place& place) {
  return *run.stories[place.block];
}

// x + gridDim.x * (y + gridDim.y * z), as traces number blocks.
inline std::uint64_t linear_block(const std::array<std::uint32_t, 3>& block,
                                  const std::array<std::uint32_t, 3>& grid) {
  return block[0] + std::uint64_t{grid[0]} * (block[1] + std::uint64_t{grid[1]} * block[2]);
}

// The text of line `line` (from 1) of the kernel file without its indentation; empty where there is none.
std::string source_line(const catalog::KernelSpec& spec, int line);
// The same without a comment behind it.
std::string source_statement(const catalog::KernelSpec& spec, int line);

// Of an instruction, in the kernel file; 0 where that is unknown.
inline int line_of(const run::Run& run, std::uint32_t pc) { return run.instructions[pc].line; }
// The same in the text of the kernel itself: for an instruction of a device function that was inlined, the
// line that calls it there.
inline int kernel_line_of(const run::Run& run, std::uint32_t pc) { return run.kernel_lines[pc]; }
// "line 28", or "line 120 calls 37" for an instruction of line 37 that was inlined into line 120 of the
// kernel.
std::string place_of(const run::Run& run, std::uint32_t pc);
// ", recorded on NVIDIA H100 80GB HBM3"; empty for the emulator's.
std::string recorded_words(const run::Run& run);
// "128 x 128 x 64" of an array of three, without trailing ones.
std::string dimensions(const std::array<std::uint32_t, 3>& sizes);

}  // namespace warplens::figures
