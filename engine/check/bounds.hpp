// A fault of the emulator in the words of findings: threads as they count in the launch, and an access out of
// bounds by the element that it meant.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/check/finding.hpp"
#include "engine/check/registers.hpp"

namespace warplens::check {

struct FaultWords {
  std::string message, fix;
  std::string address;  // "a[1000]"; empty: as the fault has it
  Memory memory = Memory::global;
  bool is_before = false;  // of the array's first element
};
// array: that the address was made from, or the nearest; empty if none is known. block, grid: of the
// launch.
FaultWords words_of_fault(const emulator::Fault& fault, const ptx::Instruction& instruction,
                          const std::optional<ArrayPlace>& array, const std::array<std::uint32_t, 3>& block,
                          const std::array<std::uint32_t, 3>& grid);
// The array at or nearest below the place of a fault.
std::optional<ArrayPlace> array_at(const emulator::Fault& fault, const ptx::Instruction& instruction,
                                   const emulator::SharedLayout& layout,
                                   const std::vector<BufferFacts>& buffers);

}  // namespace warplens::check
