// What the threads of a warp lose by rounding: its block runs once more, alone and followed.
#pragma once

#include <cstdint>

#include "engine/run/run.hpp"
#include "engine/trace/roundings.hpp"

namespace warplens::run {

// block: linear index. Errors: no thread of the warp stores a number that it has added up by itself; a run
// that stopped, or takes more memory than a picture is worth.
Result<trace::WarpRounding> rounding_of(const Run& run, std::uint64_t block, std::uint32_t warp);

}  // namespace warplens::run
