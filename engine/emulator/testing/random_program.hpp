// Test support: random PTX programs with arithmetic on uniform, affine and varying registers, divergent
// branches and loops, shared memory, votes and shuffles. Not part of the product.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::emulator {

inline constexpr std::uint32_t kWordsPerThread = 64;  // of global memory, the thread's own
inline constexpr std::uint32_t kCounters = 16;        // words behind them that atomics of all threads update

std::uint64_t next_random(std::uint64_t& state);

// A kernel (.param .u64 data, .param .u32 n): data holds kWordsPerThread words for each thread of the grid,
// then kCounters. Its threads share no memory without a barrier, so any order of execution gives one result.
std::string random_program(std::uint64_t seed);

}  // namespace warplens::emulator
