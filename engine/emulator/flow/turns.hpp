// In which order lanes that have parted go on, so that they meet again where their branches do.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

// A number for each pc and for the end of the code: lanes at the lowest one go on first. Empty where the order of the
// code does. It does not where a compiler has put the end of a loop before its head: lanes that come there first would
// go on with the next turn and leave the others behind.
std::vector<std::uint32_t> turns_of(const Flow& flow);

}  // namespace warplens::emulator
