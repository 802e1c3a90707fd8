// How many blocks of a kernel fit on one multiprocessor, and what stops the next one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/device/device.hpp"

namespace warplens::device {

struct ResourceUsage {
  int threads_per_block = 0;
  int registers_per_thread = 0;
  std::int64_t shared_bytes_per_block = 0;  // static + dynamic
};

enum class Limiter { warps, blocks, registers, shared };
const char* to_string(Limiter limiter);  // "warps", "blocks", "registers", "shared"

// The limit of a resource that the kernel does not use.
inline constexpr int kUnlimitedBlocks = std::numeric_limits<int>::max();

struct Occupancy {
  int blocks_per_sm = 0;
  int warps_per_sm = 0;
  double occupancy = 0;  // warps_per_sm / max_warps_per_sm
  // Blocks per SM that each resource alone would allow; kUnlimitedBlocks for one that is not used.
  int by_warps = 0, by_blocks = 0, by_registers = 0, by_shared = 0;
  std::vector<Limiter> limiters;  // every resource whose own limit equals blocks_per_sm
};

// Errors: a use that no device could launch (0 threads, a negative size). A use over a limit of this device
// is not an error: it gives 0 blocks and names the limiter.
Result<Occupancy> occupancy(const Device& device, const ResourceUsage& use);

// What a block or a thread asks for beyond what one may have at all, so that the device launches none:
// "1,025 threads are above the 1,024 that a block may have". Empty where blocks are only too large for the
// SM.
std::string why_no_block(const Device& device, const ResourceUsage& use);

// What the SM allocates for one block, rounded up to the units in which the device gives it; bytes with those
// that the system keeps for itself.
std::int64_t allocated_registers(const Device& device, const ResourceUsage& use);
std::int64_t allocated_shared(const Device& device, const ResourceUsage& use);

}  // namespace warplens::device
