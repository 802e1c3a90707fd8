// What the speed of a launch is told in, and how its samples lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace warplens {

// In operations; or in the bytes that must move, where those are more: a sum has one addition for four bytes,
// and what it takes time for is the bytes. Both of one launch, or both of one second.
inline bool is_told_in_operations(double operations, double bytes) {
  return operations > 0 && operations >= bytes;
}

// What a speed is counted in, thousand millions a second of each.
inline constexpr std::string_view kFloatingPoint = "GFLOP/s", kWholeNumbers = "GOP/s", kBytes = "GB/s";
inline bool is_of_operations(std::string_view unit) { return unit != kBytes; }
// Of speeds side by side, which are both of operations or both of bytes.
inline std::string_view common_unit(std::string_view one, std::string_view other) {
  return one == other ? one : kWholeNumbers;
}

// The value below which this share of the samples lies, between two samples by interpolation. Precondition:
// sorted and not empty.
inline double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return sorted[below] * (1 - part) + sorted[above] * part;
}

}  // namespace warplens
