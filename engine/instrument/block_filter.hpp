// The rewritten kernel does its work in some blocks only; the others leave at once. What the hardware counts
// of such a launch is comparable with an emulation of just these blocks, at sizes that are too large to
// emulate whole.
//
//   auto text = instrument::with_blocks_only(build.ptx, build.kernel_name, blocks, blocks_in_grid);
//   // launched as the kernel itself, with the same parameters
//
// Which blocks is read from constant memory, whose accesses are in no counter of global or shared ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::instrument {

// blocks: linear indices below blocks_in_grid. entry: empty for the only one. Errors: PTX that is not
// understood, no such entry, more blocks in the grid than constant memory has bits.
Result<std::string> with_blocks_only(std::string_view ptx, std::string_view entry,
                                     std::span<const std::uint64_t> blocks, std::uint64_t blocks_in_grid);

}  // namespace warplens::instrument
