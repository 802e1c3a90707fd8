/*---
title   = "A flag that any thread may raise"
problem = "copy"
idea    = "Looks like a race: several warps set the shared flag, all to 1, between two barriers."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 640
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int found;
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  const float v = i < N ? in[i] : 0.0f;
  if (v > 0.5f) found = 1;
  __syncthreads();
  if (i < N) out[i] = found ? v : in[i];
}
