// Units of accesses that came before: kernels repeat a few patterns at a few places of a segment, and the
// rules of old devices take a hundred times as long as to find one again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/emulator/access_units.hpp"

namespace warplens::emulator {

class KnownUnits {
 public:
  // Accesses that a rule cannot tell apart.
  struct Pattern {
    std::uint32_t active = 0;  // 0: nothing
    std::uint8_t width = 0, space = 0;
    bool store = false;
    // The lanes' addresses from where the first one's segment begins, modulo 2^32; of inactive ones the same
    // for all accesses of a caller.
    alignas(64) std::array<std::uint32_t, 32> offsets{};

    friend bool operator==(const Pattern&, const Pattern&) = default;
  };

  // As plain_units(). phase_bits: the low bits of an address by which the rule tells places apart, one less
  // than a power of two.
  AccessUnits of(const analysis::WarpAccess& access, ptx::Space space, const device::Device& device,
                 std::uint32_t phase_bits);
  // What `find` returned for this pattern, if that is still known; else what it returns now.
  template <typename Find>
  AccessUnits of(const Pattern& pattern, Find find) {
    Entry& entry = place_of(pattern);
    if (entry.pattern != pattern) entry = {pattern, find()};
    return entry.units;
  }

 private:
  struct Entry {
    Pattern pattern;
    AccessUnits units = {};
  };
  Entry& place_of(const Pattern& pattern);
  std::vector<Entry> entries_;  // a power of two; made with the first access
};

}  // namespace warplens::emulator
