// A kernel's PTX, changed so that it does a part of its grid's blocks: how a result is seen filling in at any
// speed. Launched with n blocks in a row, it does n blocks in linear order, from the one that the module's
// variable names. The variable is zero at first, so that a launch of all blocks in a row is the whole kernel
// and can be verified as such.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::gpu {

inline constexpr const char* first_block_variable = "warplens_first_block";  // 32 bits

// grid: of the whole launch. Error: block indices are read in a way that is not known, or the kernel uses
// clusters.
Result<std::string> with_first_block(std::string_view ptx, const std::array<std::uint32_t, 3>& grid);

// The text with a limit of registers a thread (PTX ISA, .maxnreg), so that a changed kernel has as many
// blocks on a multiprocessor as the kernel itself: registers are given out in eights. As it was where the
// entry is not found or has limits of its own.
std::string with_registers_of(std::string ptx, std::string_view entry, int registers);

}  // namespace warplens::gpu
