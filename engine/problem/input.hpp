// Initial contents of buffers: inputs by pattern and seed, outputs with a mark of what is not written.
#pragma once

#include <cstdint>
#include <span>

#include "engine/problem/problem.hpp"

namespace warplens::problem {

std::size_t bytes_of(const Buffer& buffer);

// What an output holds before anybody writes it, 4 bytes again and again: -12345678 as a float, finite in
// every other type as well (a kernel may multiply what it finds by zero), and no result that a kernel would
// have by chance.
constexpr std::uint32_t kUnwritten = 0xcb3c614e;
inline std::byte unwritten_byte(std::size_t at) {
  return static_cast<std::byte>(kUnwritten >> (at % 4 * 8) & 0xffu);
}
// Whether an element of an output is as nobody wrote it.
bool is_unwritten(std::span<const std::byte> bytes, std::size_t index, std::size_t element_bytes);

// input: 0 for the problem's first input buffer, 1 for the second, ...: buffers differ in their random
// numbers.
void fill_input(const Buffer& buffer, std::size_t input, Pattern pattern, std::uint64_t seed,
                std::span<std::byte> bytes);
void fill_output(const Buffer& buffer, std::span<std::byte> bytes);

// Patterns for trials beside the run that is asked for: equal, zero, large (to 100 times as large), negative
// (so large and below 0), gaps (rows of a sparse matrix that are empty, where a kind says how). A result with
// these is right where it is near, and finite where it should be.
inline bool is_of_trials(Pattern pattern) { return pattern >= Pattern::equal; }
// Of a random number from -1 to 1, and of the part of the way between two bounds. may_grow: beyond them.
double value_of(Pattern pattern, double unit);
double value_between(Pattern pattern, double from, double to, double part, bool may_grow);

// Element `index` of a random float input: uniform on the multiples of 2^-23 in [-1, 1).
float random_float(std::uint64_t seed, std::size_t input, std::uint64_t index);

}  // namespace warplens::problem
