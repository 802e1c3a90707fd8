/*---
title   = "Odd lanes do not come to the shuffle of their tile, right"
problem = "reduce"
idea    = "tile.shfl_down() is for all threads of the tile."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) atomicAdd(out, v);
}
