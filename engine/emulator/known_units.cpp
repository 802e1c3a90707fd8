#include "engine/emulator/known_units.hpp"

#include <bit>

namespace warplens::emulator {
namespace {

constexpr std::size_t kEntries = 512;

std::size_t place_of(const std::array<std::uint32_t, 32>& offsets, std::uint32_t active, std::uint32_t kind) {
  std::uint64_t hash = active * 0x9e3779b97f4a7c15ull + kind;
  for (std::size_t i = 0; i < 32; i += 2)
    hash = (hash ^ (offsets[i] | static_cast<std::uint64_t>(offsets[i + 1]) << 32)) * 0x9e3779b97f4a7c15ull;
  return static_cast<std::size_t>(hash >> 55) & (kEntries - 1);
}

}  // namespace

AccessUnits KnownUnits::of(const analysis::WarpAccess& access, ptx::Space space, const device::Device& device,
                           std::uint32_t phase_bits) {
  if (access.active == 0 || space == ptx::Space::local) return plain_units(access, space, device);
  const std::uint64_t first = access.address[static_cast<std::size_t>(std::countr_zero(access.active))];
  const std::uint64_t base = first - (first & phase_bits);
  Offsets offsets{};
  bool fits = true;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const std::uint64_t away = access.address[lane] - base;  // of lanes below the first one: wraps round
    offsets[lane] = static_cast<std::uint32_t>(away);
    fits = fits && away + (std::uint64_t{1} << 31) < std::uint64_t{1} << 32;
  }
  if (!fits) return plain_units(access, space, device);
  const bool store = access.op == analysis::AccessOp::store;
  const auto width = static_cast<std::uint8_t>(access.width), where = static_cast<std::uint8_t>(space);
  if (entries_.empty()) entries_.resize(kEntries);
  Entry& entry = entries_[place_of(offsets, access.active, width * 512u + where * 2u + (store ? 1u : 0u))];
  if (entry.active != access.active || entry.width != width || entry.space != where || entry.store != store ||
      entry.offsets != offsets)
    entry = {access.active, width, where, store, plain_units(access, space, device), offsets};
  return entry.units;
}

}  // namespace warplens::emulator
