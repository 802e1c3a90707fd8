/*---
title   = "A halo whose left end is never loaded"
problem = "copy"
idea    = "The halo to the right of the block is loaded but the one to the left is not; the first thread reads it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 512
// A smoothing that leaves the values as they are: the weights of the neighbours are 0.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[66];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t + 1] = i < N ? in[i] : 0.0f;
  if (t == 63) s[65] = i + 1 < N ? in[i + 1] : 0.0f;
  __syncthreads();
  const float side = (s[t] - s[t + 2]) * 0.0f;  // fault: uninitialized-shared
  if (i < N) out[i] = s[t + 1] + side;
}
