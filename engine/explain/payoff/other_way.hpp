// What a kernel's accesses to global memory would ask for if threadIdx.x and threadIdx.y changed places:
// where lanes walk down the rows of one array, letting them walk along it may make them walk down those of
// another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "engine/run/run.hpp"

namespace warplens::explain {

// By pc: sectors then, over those now. Nothing where the block has only one of the two indices, or where an
// access that matters does not depend on both by constant distances: then it cannot be told.
std::optional<std::map<std::uint32_t, double>> sectors_the_other_way(const run::Run& run);

}  // namespace warplens::explain
