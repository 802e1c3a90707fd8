/*---
title   = "A barrier that is named and not called"
problem = "copy"
idea    = "Without its brackets __syncthreads is the address of a function, which compiles and does nothing."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x, from = blockIdx.x * 64 + 63 - threadIdx.x;
  tile[63 - threadIdx.x] = from < N ? in[from] : 0;
  __syncthreads;  // fault: no-effect
  if (i < N) out[i] = tile[threadIdx.x];
}
