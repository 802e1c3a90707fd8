/*---
title   = "Partitions of a warp and of a block"
idea    = "Labelled and binary partitions, coalesced threads, and a barrier of half the block that counts."
[problem]
sizes   = { N = 4096 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == (i % 4 < 2 ? 16 : 8) + 128"
[launch]
require = ["N % 256 == 0"]
block   = [256]
grid    = ["N / 256"]
---*/

// right
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::binary_partition(warp, i % 4 < 2);
  const auto quarter = cg::labeled_partition(warp, i % 4);
  int size = i % 4 < 2 ? half.size() : quarter.size();
  if (i % 2 == 0) {
    const auto group = cg::coalesced_threads();
    if (cg::reduce(group, 1, cg::plus<int>()) != 16) size = -1000;
  }
  int count = 0;
  const int id = 1 + threadIdx.x / 128, threads = 128;
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 0; barrier.red.popc.u32 %0, %2, %3, p; }"
               : "=r"(count) : "r"(size), "r"(id), "r"(threads) : "memory");
  out[i] = size + count;
}
