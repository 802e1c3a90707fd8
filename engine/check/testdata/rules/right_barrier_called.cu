/*---
title   = "A barrier that is called, and a value that is thrown away on purpose"
problem = "copy"
idea    = "(void) says that nobody is to read it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x, from = blockIdx.x * 64 + 63 - threadIdx.x;
  (void)N;
  tile[63 - threadIdx.x] = from < N ? in[from] : 0;
  __syncthreads();
  if (i < N) out[i] = tile[threadIdx.x];
}
