// Our occupancy against NVIDIA's cuda_occupancy.h, limit by limit. Built only where a toolkit has that
// header.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/device/occupancy.hpp"
#include "engine/device/testing/project_table.hpp"

namespace warplens::device {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kConfigurations = 50'000;  // sanitizers are some twenty times slower
#else
constexpr int kConfigurations = 1'000'000;
#endif

cudaOccDeviceProp properties(const Device& d) {
  cudaOccDeviceProp p;
  p.computeMajor = d.compute_capability / 10;
  p.computeMinor = d.compute_capability % 10;
  p.maxThreadsPerBlock = d.max_threads_per_block;
  p.maxThreadsPerMultiprocessor = d.max_threads_per_sm;
  p.regsPerBlock = d.registers_per_block;
  p.regsPerMultiprocessor = d.registers_per_sm;
  p.warpSize = d.warp_size;
  p.sharedMemPerBlock = static_cast<size_t>(d.shared_per_block);
  p.sharedMemPerMultiprocessor = static_cast<size_t>(d.shared_per_sm);
  p.numSms = 1;
  p.sharedMemPerBlockOptin = static_cast<size_t>(d.shared_per_block_optin);
  p.reservedSharedMemPerBlock = static_cast<size_t>(d.shared_reserved_per_block);
  return p;
}

bool has(const Occupancy& o, Limiter limiter) {
  return std::find(o.limiters.begin(), o.limiters.end(), limiter) != o.limiters.end();
}

struct Config {
  ResourceUsage use;
  std::int64_t dynamic_shared = 0;  // of use.shared_bytes_per_block
};

// Random over the whole range and a little beyond, with the edges of each rule drawn more often.
Config draw(std::mt19937& random, const Device& d) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  Config c;
  c.use.threads_per_block = static_cast<int>(below(4) ? 1 + below(1056) : 32 * (1 + below(33)));
  c.use.registers_per_thread = static_cast<int>(below(260));
  const std::int64_t most = d.shared_per_block_optin + 2048;
  switch (below(4)) {
    case 0:
      c.use.shared_bytes_per_block = 0;
      break;
    case 1:
      c.use.shared_bytes_per_block = below(most);
      break;
    case 2:
      c.use.shared_bytes_per_block = below(16 * 1024);
      break;
    default:
      c.use.shared_bytes_per_block = std::max<std::int64_t>(0, below(most / 128) * 128 + below(3) - 1);
  }
  c.dynamic_shared = below(2) ? c.use.shared_bytes_per_block : below(c.use.shared_bytes_per_block + 1);
  return c;
}

cudaOccError ask(const cudaOccDeviceProp& properties, const Config& c, cudaOccResult& result) {
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = c.use.registers_per_thread;
  function.sharedSizeBytes = static_cast<size_t>(c.use.shared_bytes_per_block - c.dynamic_shared);
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = static_cast<size_t>(c.dynamic_shared);
  const cudaOccDeviceState state;
  return cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &function, &state,
                                                 c.use.threads_per_block,
                                                 static_cast<size_t>(c.dynamic_shared));
}

bool same(const Occupancy& ours, const cudaOccResult& theirs) {
  const auto flag = [&](int bit) { return (theirs.limitingFactors & static_cast<unsigned>(bit)) != 0; };
  return ours.blocks_per_sm == theirs.activeBlocksPerMultiprocessor &&
         ours.by_warps == theirs.blockLimitWarps && ours.by_blocks == theirs.blockLimitBlocks &&
         ours.by_registers == theirs.blockLimitRegs && ours.by_shared == theirs.blockLimitSharedMem &&
         has(ours, Limiter::warps) == flag(OCC_LIMIT_WARPS) &&
         has(ours, Limiter::blocks) == flag(OCC_LIMIT_BLOCKS) &&
         has(ours, Limiter::registers) == flag(OCC_LIMIT_REGISTERS) &&
         has(ours, Limiter::shared) == flag(OCC_LIMIT_SHARED_MEMORY);
}

// Compares kConfigurations of one device; false where the oracle does not know the capability.
bool compare(const Device& d) {
  const cudaOccDeviceProp p = properties(d);
  std::mt19937 random(static_cast<unsigned>(d.compute_capability));
  int differing = 0;
  for (int i = 0; i < kConfigurations; ++i) {
    const Config c = draw(random, d);
    cudaOccResult theirs{};
    if (ask(p, c, theirs) != CUDA_OCC_SUCCESS) return false;
    const auto ours = occupancy(d, c.use);
    if (ours && same(*ours, theirs)) continue;
    if (++differing <= 3)
      ADD_FAILURE() << d.id << ": " << c.use.threads_per_block << " threads, " << c.use.registers_per_thread
                    << " registers, " << c.use.shared_bytes_per_block << " shared (" << c.dynamic_shared
                    << " dynamic): ours " << (ours ? ours->blocks_per_sm : -1) << ", oracle "
                    << theirs.activeBlocksPerMultiprocessor;
  }
  EXPECT_EQ(differing, 0) << d.id;
  return true;
}

TEST(OccupancyOracle, EveryCapabilityItKnows) {
  const auto table = project_table();
  ASSERT_TRUE(table);
  int compared = 0, known_from_3_0 = 0;
  for (const Device& d : table->devices()) {
    if (!d.id.starts_with("cc") || d.compute_capability < 30) continue;
    ++known_from_3_0;
    if (compare(d)) ++compared;
  }
  // The header of CUDA 13 knows them all; an older one lacks the newest.
  if (__CUDA_OCC_MAJOR__ >= 12) {
    EXPECT_EQ(compared, known_from_3_0);
  }
  EXPECT_GE(compared, 12);
}

}  // namespace
}  // namespace warplens::device
