/*---
title   = "The grid does not wait"
idea    = "Threads of other blocks write what is read here, and grid.sync() is missing."
[problem]
sizes   = { N = 8192 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[N - 1 - i] + 1"
[launch]
block   = [256]
grid    = ["ceil_div(N, 256)"]
---*/

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  if (i < N) out[i] = in[i] + 1;  // fault: race-global
  __syncthreads();
  float other = 0;
  if (i < N) other = out[N - 1 - i];  // fault: race-global // fault: uninitialized-global
  grid.sync();
  if (i < N) out[i] = other;
}
