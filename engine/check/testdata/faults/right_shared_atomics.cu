/*---
title   = "A shared sum by atomics"
problem = "reduce"
idea    = "Looks like the racing shared sum, but it is zeroed before a barrier, added to by atomics and read after another barrier."
[launch]
block   = ["256"]
grid    = ["4"]
---*/

// right
// size: 5000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  float v = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256) v += in[i];
  atomicAdd(&total, v);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
