// The rewritten kernel says where and when each of its blocks ran.
//
//   auto timed = instrument::with_block_times(build.ptx, build.kernel_name);
//   // the launch gets one parameter more, behind all others:
//   // the address of one BlockTime a block of the grid
//
// A row is at the block's linear index. The buffer comes as a parameter and not through a variable of the
// module: launches in flight at the same time can then have different buffers, nothing has to be copied
// before a launch, and the emulator runs the text as it is.
//
// start is read by the block's first thread before anything else. end is the latest moment at which a thread
// of the block had done all but its ret or exit: every warp reads the timer on each of its ways out and the
// row keeps the largest value, so stores that were issued may still be on their way then. A block that a trap
// stops has no end, and exits inside functions that the compiler did not inline are not seen. Both times are
// %globaltimer, nanoseconds that all multiprocessors share, in steps of 32 ns on an H100 and about 1 us on
// some older devices (PTX ISA 10.27 leaves the step open).
//
// A buffer that starts as zeros may be used for launch after launch without being cleared, since time only
// grows: a row with end below start is of a block that is running, one with start 0 of a block that has not
// begun.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::instrument {

struct BlockTime {
  std::uint32_t block = 0, sm = 0;   // linear index of the block; %smid
  std::uint64_t start = 0, end = 0;  // nanoseconds of %globaltimer
  bool operator==(const BlockTime&) const = default;
};
static_assert(sizeof(BlockTime) == 24);

// The name of the parameter, for launches by name.
std::string block_times_parameter(std::string_view entry);

// entry: empty for the only one. Errors: PTX that is not understood, no such entry.
Result<std::string> with_block_times(std::string_view ptx, std::string_view entry = {});

}  // namespace warplens::instrument
