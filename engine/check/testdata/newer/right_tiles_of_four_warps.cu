/*---
title   = "Groups of four warps"
idea    = "tiled_partition<128> needs memory of the block to meet; the sum is the same in all of its threads."
[problem]
sizes   = { N = 8192 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == sum(k, i - i % 128, min(i - i % 128 + 128, N), in[k])"
[launch]
block   = [256]
grid    = ["ceil_div(N, 256)"]
---*/

// right
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<128>(block);
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float sum = cg::reduce(tile, i < N ? in[i] : 0.0f, cg::plus<float>());
  tile.sync();
  if (i < N) out[i] = sum;
}
