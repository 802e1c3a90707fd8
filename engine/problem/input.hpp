// Initial contents of buffers: inputs by pattern and seed, outputs poisoned.
#pragma once

#include <cstdint>
#include <span>

#include "engine/problem/problem.hpp"

namespace warplens::problem {

std::size_t bytes_of(const Buffer& buffer);

// A signalling NaN of a pattern no computation makes; hardware that computes with it sets the quiet bit.
constexpr std::uint32_t kPoison32 = 0x7fa0dead;
constexpr std::uint32_t kQuietPoison32 = kPoison32 | 0x00400000;
constexpr std::uint64_t kPoison64 = 0x7ff4dead7fa0dead;

// input: 0 for the problem's first input buffer, 1 for the second, ...: buffers differ in their random
// numbers.
void fill_input(const Buffer& buffer, std::size_t input, Pattern pattern, std::uint64_t seed,
                std::span<std::byte> bytes);
void fill_output(const Buffer& buffer, std::span<std::byte> bytes);

// Element `index` of a random float input: uniform on the multiples of 2^-23 in [-1, 1).
float random_float(std::uint64_t seed, std::size_t input, std::uint64_t index);

}  // namespace warplens::problem
