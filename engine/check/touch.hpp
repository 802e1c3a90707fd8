// One access as the checker of a block looks at it.
#pragma once

#include <cstdint>

#include "engine/check/order/order.hpp"
#include "engine/check/races.hpp"

namespace warplens::check {

struct Touch {  // an access of some lanes at one address
  const emulator::WatchedStep& step;
  Access kind = Access::load;
  std::uint64_t address = 0;
  std::uint32_t width = 4;
  std::uint32_t lanes = 0;
  std::uint32_t undefined = 0;  // lanes whose stored value is not
  bool same = false;
  std::uint16_t origin = 0;
  bool is_inside = false;  // of the array that the address was made from, as is known
  Stamp now{};
};

// Where all lanes of an access are, of one space.
struct Span {
  std::uint64_t low = 0, high = 0;        // the addresses
  ptx::Space space = ptx::Space::global;  // generic: not all in one
  std::uint64_t bits = 0;                 // that any of their distances has
};

}  // namespace warplens::check
