/*---
title   = "A table of indices that was never filled"
problem = "copy"
idea    = "Half of the table of indices is filled, and the other half is used as addresses all the same."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 256
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int at[64];
  const int t = threadIdx.x;
  if (t < 32) at[t] = 31 - t;
  __syncthreads();
  const int i = blockIdx.x * 64 + (at[t] & 63);  // fault: uninitialized-shared
  if (i < N) out[i] = in[i];
}
