// Small parts that the access rules share: distinct keys of one warp access, and its lanes in phases.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace warplens::analysis {

// A set of at most 64 keys, made for the 32 lanes of a warp: open addressing, and nothing to clear but one
// word.
class DistinctKeys {
 public:
  struct Place {
    unsigned slot;  // below 64, of this key alone
    bool is_new;
  };
  // Where the key lies, put in if it was not. Precondition: fewer than 64 keys are in the set, or this one
  // is.
  Place place(std::uint64_t key) {
    auto slot = static_cast<unsigned>((key * 0x9e3779b97f4a7c15u) >> 58);
    while ((used_ >> slot & 1) != 0) {
      if (keys_[slot] == key) return {slot, false};
      slot = (slot + 1) & 63;
    }
    used_ |= std::uint64_t{1} << slot;
    keys_[slot] = key;
    return {slot, true};
  }
  void insert(std::uint64_t key) { place(key); }
  int size() const { return std::popcount(used_); }

 private:
  std::uint64_t used_ = 0;
  std::array<std::uint64_t, 64> keys_;
};

// The lanes of phase p when a warp is served in phases of `lanes` consecutive lanes.
constexpr std::uint32_t phase_mask(int p, int lanes) {
  const std::uint32_t ones = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  return ones << (p * lanes);
}

// Calls visit(lane) for each set bit, lowest first.
template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

}  // namespace warplens::analysis
