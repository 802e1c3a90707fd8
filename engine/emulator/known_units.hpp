// Units of accesses that came before: kernels repeat a few patterns at a few places of a segment, and the
// rules of old devices take a hundred times as long as to find one again.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/access_units.hpp"

namespace warplens::emulator {

class KnownUnits {
 public:
  // As plain_units(). phase_bits: the low bits of an address by which the rule tells places apart, one less
  // than a power of two.
  AccessUnits of(const analysis::WarpAccess& access, ptx::Space space, const device::Device& device,
                 std::uint32_t phase_bits);

 private:
  // The lanes' addresses from where the first one's segment begins, 0 for inactive ones.
  using Offsets = std::array<std::uint32_t, 32>;
  struct Entry {
    std::uint32_t active = 0;  // 0: nothing
    std::uint8_t width = 0, space = 0;
    bool store = false;
    AccessUnits units = {};
    Offsets offsets{};
  };
  std::vector<Entry> entries_;  // a power of two; made with the first access
};

}  // namespace warplens::emulator
