/*---
title   = "A cooperative grid that does not fit"
idea    = "grid.sync() needs all blocks on the device at once; 200 blocks of 1,024 threads with 48 values each are not."
[problem]
sizes   = { N = 4096 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i]"
[launch]
block   = [1024]
grid    = ["200"]
---*/

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const auto grid = cg::this_grid();
  float a[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) a[k] = in[(threadIdx.x * 7 + k * 31) % N];
  grid.sync();  // fault: launch-cooperative
  float s = 0;
#pragma unroll
  for (int k = 0; k < 48; ++k) s += a[k] * a[47 - k];
  for (int i = grid.thread_rank(); i < N; i += grid.size()) out[i] = in[i] + (s == 1e30f ? 1 : 0);
}
