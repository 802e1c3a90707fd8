// Which lanes of an instruction access the same place. Most instructions access memory in the same pattern
// each time, however their first lane moves, so that of the last time is kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplens::check {

struct LanePlaces {
  std::uint32_t exec = 0;                    // lanes that access it at all
  std::array<std::uint64_t, 32> offsets{};   // of each of them, from the first one's address
  std::array<std::uint64_t, 32> is_there{};  // all bits of those lanes, none of others
  std::uint32_t count = 0;                   // of the places
  std::array<std::uint32_t, 32> lanes{};     // of each place, the place of the lowest lane first
  std::int64_t low = 0, high = 0;            // the offsets' range
  std::uint64_t bits = 0;                    // that any offset has
};

class PlacesOfLanes {
 public:
  explicit PlacesOfLanes(std::size_t instructions) : last_(instructions) {}
  // exec: not 0. It stays as it is until the next call of the same pc.
  const LanePlaces& at(std::uint32_t pc, const std::array<std::uint64_t, 32>& address, std::uint32_t exec);

 private:
  std::vector<std::unique_ptr<LanePlaces>> last_;
};

}  // namespace warplens::check
