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

}  // namespace warplens::gpu
