/*---
title   = "A shared element before the array's start"
problem = "copy"
idea    = "The left neighbour is taken in shared memory too, and for thread 0 it lies before the array, in the one declared before it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 512
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float before[64];
  __shared__ float row[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  before[t] = 0.0f;
  row[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  const float left = row[t - 1];  // fault: out-of-array // fault: out-of-bounds
  const float right = before[63 - t];
  if (i < N) out[i] = left > 1.0e20f ? right : row[t];
}
