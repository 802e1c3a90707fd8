// What a warp brings from global to shared memory, tile after tile: from when it is under way, and when it is
// read. Whether one tile travels while another one is multiplied is the point of double buffering.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/report/block_accesses.hpp"

namespace warplens::report {

// Positions among the accesses of the warp.
struct TileFlight {
  std::uint32_t asked = 0;            // its first access to global memory
  std::uint32_t read = 0, after = 0;  // its first access to shared memory, and behind its last one
  bool operator==(const TileFlight&) const = default;
};

// Of the first tiles, by barriers: what is stored, or copied by cp.async, is read behind the next one. Empty
// where a warp brings nothing.
std::vector<TileFlight> tile_flights(const BlockAccesses& accesses, std::uint32_t warp);

// How many other tiles are under way while this one is read.
std::size_t under_way(const std::vector<TileFlight>& flights, std::size_t tile);

}  // namespace warplens::report
