/*---
title   = "Warps return before a barrier"
problem = "copy"
idea    = "Allowed as it is of single lanes: the barrier waits for the threads that have not ended, and nobody needs what these would have stored."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// right
// size: 1024
// says: the barrier waits for the threads that have not ended
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[256];
  const int t = threadIdx.x, first = blockIdx.x * 256;
  if (t >= 128) return;
  s[t] = in[first + t];
  s[t + 128] = in[first + t + 128];
  __syncthreads();
  out[first + t] = s[t];
  out[first + t + 128] = s[t + 128];
}
