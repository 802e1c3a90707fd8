// Sizes and places in memory are whole numbers of a unit.
#pragma once

#include <cstdint>

namespace warplens {

// The first multiple of unit that is no smaller than value; the sum of both must fit.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace warplens
