/*---
title   = "Clusters of two in an even grid"
problem = "copy"
idea    = "Looks like a cluster that may not divide the grid, but the grid is rounded up to an even number of blocks."
[launch]
block   = ["128"]
grid    = ["2 * ceil_div(N, 256)"]
---*/

// right
// size: 900
// out[i] = in[i] for all i below N.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < N) {
    out[i] = in[i];
  }
}
