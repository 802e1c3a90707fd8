/*---
title   = "A sum kept in an int"
problem = "reduce"
idea    = "The running sum is an int: every element loses its fraction when it is added."
[launch]
block   = ["128"]
grid    = ["8"]
---*/

// size: 4096
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  int sum = 0;  // fault: wrong-result
  for (int i = blockIdx.x * 128 + threadIdx.x; i < N; i += gridDim.x * 128) {
    sum += in[i];  // fault: wrong-result
  }
  float v = sum;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
