// What belongs to the block that a worker runs, and to its cluster.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::emulator {

struct Warp;
class BlockObserver;
class BlockWatcher;

// An arrival at a barrier in shared memory that comes with the copies that its lanes issued before it.
struct PendingArrival {
  Warp* warp = nullptr;
  std::uint32_t lanes = 0;
  std::uint64_t copies = 0;                 // those of the warp with lower numbers
  std::array<std::uint32_t, 32> barrier{};  // offset in shared memory
};

// A cp.async.bulk that no wait has shown to have come.
struct PendingBulkCopy {
  std::uint32_t target = 0, barrier = 0;  // offsets in shared memory
  std::vector<std::byte> data;
};

// The blocks of one cluster, which see each other's shared memory.
struct Cluster {
  struct Peer {
    std::byte* shared = nullptr;
    std::uint8_t* written = nullptr;  // one flag a byte
    bool has_ended = false;
  };
  std::vector<Peer> peers;  // by rank
  std::uint32_t phase = 0;  // of its barrier: how often all have arrived
};

// What a worker knows of the block that it runs.
struct BlockState {
  BlockObserver* observer = nullptr;
  BlockWatcher* watcher = nullptr;
  std::uint64_t block = 0;
  std::array<std::uint32_t, 3> block_index{};
  bool exact_shared = false;                 // the initialised bytes of shared memory are tracked one by one
  std::vector<std::uint8_t> shared_written;  // one flag a byte, where exact_shared
  std::byte* local = nullptr;                // local memory of the block: [warp][lane][local_bytes]
  std::vector<PendingArrival> arrivals;
  std::vector<PendingBulkCopy> bulk_copies;
  Cluster* cluster = nullptr;  // of a block that does not run alone
  std::uint32_t rank = 0;      // in it
};

}  // namespace warplens::emulator
