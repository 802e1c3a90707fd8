/*---
title   = "Lanes return before a barrier"
problem = "copy"
idea    = "From 7.0 on nobody waits for them."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1003
// says: nobody waits for it from compute capability 7.0 on
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i >= N) return;
  s[t] = in[i];
  __syncthreads();  // fault: divergent-barrier
  out[i] = s[t];
}
