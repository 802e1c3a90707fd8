// How large a sum is that all of its blocks run of.
#pragma once

#include <cstdint>

namespace warplens::run {

// Elements. Of a larger sum a few blocks are counted, whose result nothing can be compared with: such a count
// is verified by a sum of this size, so that whoever makes that one and whoever decides what runs whole must
// agree. An element is an operation of a sum: its load, and what the tree of its block does for it, which is a
// hundred times as much as one of a product.
inline constexpr std::int64_t kVerifiedSum = std::int64_t{1} << 20;

}  // namespace warplens::run
