// The lanes of a mask, one after the other.
#pragma once

#include <cstdint>

namespace warplens::check {

template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

inline std::uint32_t lowest(std::uint32_t lanes) { return static_cast<std::uint32_t>(__builtin_ctz(lanes)); }

}  // namespace warplens::check
