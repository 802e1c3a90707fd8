// What belongs to the block that a worker runs, and to its cluster.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/tensor/tensor_map.hpp"

namespace warplens::emulator {

struct MicroOp;
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

// A cp.async.bulk into shared memory that no wait has shown to have come.
struct PendingBulkCopy {
  std::uint32_t target = 0, barrier = 0;  // offsets in shared memory
  std::vector<std::byte> data;
  tensor::Swizzle swizzle = tensor::Swizzle::none;
};
using BulkCopies = std::vector<PendingBulkCopy>;

// A bulk store, which reads shared memory when it is waited for. By a tensor map where that has dimensions.
struct PendingBulkStore {
  const MicroOp* op = nullptr;
  std::uint32_t lane = 0, group = 0;
  std::uint32_t source = 0, bytes = 0;  // in shared memory
  std::uint64_t target = 0;
  tensor::TensorMap map{.dimensions = 0};
  tensor::Coordinates at{};
};

// A wgmma.mma_async that was issued: its warp's part is computed when it is waited for.
struct PendingProduct {
  const MicroOp* op = nullptr;
  std::uint64_t a = 0, b = 0;  // matrix descriptors; a: where A is in shared memory
  bool adds = true;            // D = A B + D
  std::uint32_t group = 0;
};

// What the asynchronous units have to do yet for a warp.
struct AsynchronousWork {
  std::vector<PendingBulkStore> stores;
  std::array<std::uint32_t, 32> stores_committed{};  // groups, of each lane
  std::vector<PendingProduct> products;
  std::uint32_t products_committed = 0;
};

// The blocks of one cluster, which see each other's shared memory.
struct Cluster {
  struct Peer {
    std::byte* shared = nullptr;
    std::uint8_t* written = nullptr;  // one flag a byte
    bool has_ended = false;
    BulkCopies* bulk_copies = nullptr;
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
  std::unique_ptr<BulkCopies> bulk_copies;
  Cluster* cluster = nullptr;  // of a block that does not run alone
  std::uint32_t rank = 0;      // in it
};

}  // namespace warplens::emulator
