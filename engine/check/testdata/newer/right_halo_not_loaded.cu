/*---
title   = "The right halo is not loaded"
problem = "copy"
idea    = "The last thread reads s[129], which nobody writes."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[130];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t + 1] = i < N ? in[i] : 0.0f;
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
  __syncthreads();
  if (i < N) out[i] = s[t + 1] + 0.0f * (s[t] + s[t + 2]);  // fault: uninitialized-shared
}
