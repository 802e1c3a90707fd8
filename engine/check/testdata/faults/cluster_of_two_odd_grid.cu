/*---
title   = "Clusters of two in a grid of five"
problem = "copy"
idea    = "The kernel asks for clusters of two blocks and the grid has five: the launch is refused."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 600
// out[i] = in[i] for all i below N.
extern "C" __global__ void __cluster_dims__(2, 1, 1)  // fault: launch-cluster
kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < N) {
    out[i] = in[i];
  }
}
