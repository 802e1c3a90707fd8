/*---
title   = "Odd lanes do not come to the shuffle of their tile"
problem = "reduce"
idea    = "tile.shfl_down() is for all threads of the tile."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float v = i < N ? in[i] : 0.0f, sum = v;
  if (t % 2 == 0) {
    for (int d = 16; d > 0; d /= 2) sum += tile.shfl_down(sum, d);  // fault: mask-without-caller  // fault: inactive-source-lane
    v = sum;
  }
  atomicAdd(out, v);
}
