// The rules of access_global.cpp and access_shared.cpp said a second time, as sums without pieces, for tests
// that compare.
#pragma once

#include "engine/analysis/access.hpp"

namespace warplens::analysis {

GlobalCounts reference_global(const WarpAccess& access, const device::Device& device);
SharedCounts reference_shared(const WarpAccess& access, const device::Device& device);

}  // namespace warplens::analysis
