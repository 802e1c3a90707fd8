/*---
title   = "An ordinary read of a sum that others add to"
problem = "reduce"
idea    = "The last block in the grid reads *out with an ordinary load and writes it back doubled and halved while other blocks still add to it."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);  // fault: race-global
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    const float total = *out;  // fault: race-global
    if (total != total) *out = 0.0f;
  }
}
