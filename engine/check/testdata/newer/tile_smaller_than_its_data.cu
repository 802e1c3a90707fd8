/*---
title   = "A tile of 16 waits for data of 32"
problem = "copy"
idea    = "The element is of the other half of the warp, which is another tile."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;  // fault: race-warp
  tile.sync();
  const float other = s[t ^ 16];  // fault: race-warp
  if (i < N) out[i] = s[t] + 0.0f * other;
}
