// What the speed of a launch is told in.
#pragma once

namespace warplens {

// In operations; or in the bytes that must move, where those are more: a sum has one addition for four bytes,
// and what it takes time for is the bytes. Both of one launch, or both of one second.
inline bool is_told_in_operations(double operations, double bytes) {
  return operations > 0 && operations >= bytes;
}

}  // namespace warplens
