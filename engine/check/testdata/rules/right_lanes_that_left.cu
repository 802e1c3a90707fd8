/*---
title   = "Lanes return before a barrier"
problem = "copy"
idea    = "Allowed as it is of whole warps: the barrier waits for the threads that have not ended, and nobody needs what these would have stored."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// right
// size: 1003
// says: the barrier waits for the threads that have not ended
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i >= N) return;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[t];
}
