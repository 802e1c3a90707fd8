/*---
title   = "Blocks without work return before the barrier"
problem = "copy"
idea    = "Looks like an early return before a barrier, but all threads of the block return: the test uses the block's first element."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128) + 3"]
---*/

// right
// size: 500
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int first = blockIdx.x * 128, t = threadIdx.x;
  if (first >= N) return;
  if (first + t < N) s[t] = in[first + t];
  __syncthreads();
  const int u = 127 - t;
  if (first + u < N) out[first + u] = s[u];
}
