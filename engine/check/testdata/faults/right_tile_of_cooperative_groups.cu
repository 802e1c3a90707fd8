/*---
title   = "A tiled partition of cooperative groups"
problem = "reduce"
idea    = "Looks like shuffles without masks in a branch, but tiles of 16 lanes come whole, and their group takes care of the mask."
[launch]
block   = ["128"]
grid    = ["5"]
---*/

// right
// size: 1500
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  float v = 0.0f;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < N; i += gridDim.x * 128) v += in[i];
  if (tile.meta_group_rank() % 2 == 0) {
    for (int d = 8; d > 0; d /= 2) v += tile.shfl_down(v, d);
  } else {
    for (int d = 8; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  }
  if (tile.thread_rank() == 0) atomicAdd(out, v);
}
