// Cures that more than one check proposes.
#pragma once

#include <string_view>

namespace warplens::check {

// Of a barrier under a condition.
inline constexpr std::string_view kBarrierOutOfCondition =
    "move __syncthreads() out of the condition, so that every thread of the block reaches it";
// Of one in a loop that threads leave at different turns: moved out of it, the barrier would no longer part one turn's accesses from
// the next one's.
inline constexpr std::string_view kSameTurnsForAll =
    "let all threads of the block make the same number of turns, and put only the work of a turn under the "
    "condition";

}  // namespace warplens::check
