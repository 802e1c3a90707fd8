// What a kernel did that ends it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/base/error.hpp"

namespace warplens::emulator {

// Why a run stopped: everything a message needs.
struct Fault {
  // clang-format off
  enum class Kind : std::uint8_t {
    out_of_bounds, misaligned, uninitialised_shared, read_only, barrier, budget, deadlock, trap, unsupported,
    cancelled, limit,
  };
  // clang-format on
  Kind kind = Kind::out_of_bounds;
  std::uint32_t pc = 0;
  std::uint64_t block = 0;  // linear index
  std::array<std::uint32_t, 3> block_index{}, thread{};
  std::uint64_t address = 0;  // generic, or the offset in shared memory
  std::string nearest, what;  // buffer or shared variable nearest to it; what the thread did, if one did it
  Error error;                // the whole story in one line, with the kernel's file and line
};

}  // namespace warplens::emulator
