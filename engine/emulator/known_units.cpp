#include "engine/emulator/known_units.hpp"

#include <bit>

namespace warplens::emulator {
namespace {

constexpr std::size_t kEntries = 512;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ull;

// Four sums side by side: one after the other, the 16 multiplications would wait for each other.
std::size_t hash_of(const KnownUnits::Pattern& pattern) {
  std::array<std::uint64_t, 4> sums{};
  for (std::size_t i = 0; i < 32; i += 8)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t at = i + 2 * k;
      sums[k] =
          (sums[k] ^ (pattern.offsets[at] | static_cast<std::uint64_t>(pattern.offsets[at + 1]) << 32)) *
          kMix;
    }
  std::uint64_t hash =
      pattern.active * kMix + pattern.width * 512u + pattern.space * 2u + (pattern.store ? 1u : 0u);
  for (const std::uint64_t sum : sums) hash = (hash ^ sum ^ sum >> 32) * kMix;
  return static_cast<std::size_t>(hash >> 55) & (kEntries - 1);
}

}  // namespace

KnownUnits::Entry& KnownUnits::place_of(const Pattern& pattern) {
  if (entries_.empty()) entries_.resize(kEntries);
  return entries_[hash_of(pattern)];
}

AccessUnits KnownUnits::of(const analysis::WarpAccess& access, ptx::Space space, const device::Device& device,
                           std::uint32_t phase_bits) {
  const auto find = [&] { return plain_units(access, space, device); };
  if (access.active == 0 || space == ptx::Space::local) return find();
  const std::uint64_t first = access.address[static_cast<std::size_t>(std::countr_zero(access.active))];
  const std::uint64_t base = first - (first & phase_bits);
  Pattern pattern{.active = access.active,
                  .width = static_cast<std::uint8_t>(access.width),
                  .space = static_cast<std::uint8_t>(space),
                  .store = access.op == analysis::AccessOp::store};
  bool fits = true;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const std::uint64_t away = access.address[lane] - base;  // of lanes below the first one: wraps round
    pattern.offsets[lane] = static_cast<std::uint32_t>(away);
    fits = fits && away + (std::uint64_t{1} << 31) < std::uint64_t{1} << 32;
  }
  return fits ? of(pattern, find) : find();
}

}  // namespace warplens::emulator
