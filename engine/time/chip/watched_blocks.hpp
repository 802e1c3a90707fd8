// Which blocks of a launch are watched for the prediction of its time, and what their accesses come to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/device/device.hpp"
#include "engine/time/chip/memory_profile.hpp"

namespace warplens::time {

// What so many blocks leave of an SM's L1 to accesses by addresses. shared: bytes of a block. 0: the device has no caches.
std::int64_t l1_bytes(const device::Device& device, int blocks, std::int64_t shared);

struct WatchedBlocks {
  std::vector<std::uint64_t> blocks;  // linear indices, in the order in which an SM takes them
  Neighbours neighbours;
  std::uint64_t held = 1;  // by an SM
};
// Those that one SM holds in a wave in the middle, as many as are cheap to watch, and two neighbours. per_sm:
// blocks that fit on an SM; of_a_block: warp instructions of one; first: of the blocks, instead of one in the middle.
WatchedBlocks blocks_to_watch(const catalog::LaunchShape& launch, const device::Device& device, int per_sm,
                              double of_a_block, std::optional<std::uint64_t> first = std::nullopt);

// recorded: of those blocks. shared: bytes of a block.
std::map<std::uint32_t, AccessProfile> profile_of_watched(const std::vector<RecordedBlock>& recorded,
                                                          const WatchedBlocks& watched,
                                                          const catalog::LaunchShape& launch,
                                                          const device::Device& device, int per_sm,
                                                          std::int64_t shared);

}  // namespace warplens::time
