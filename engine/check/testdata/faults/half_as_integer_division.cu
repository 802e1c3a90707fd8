/*---
title   = "1 / 2 is zero"
problem = "reduce"
idea    = "The weight of the element that two threads share is written 1 / 2, which is 0 in integers."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// Threads overlap by one element: both add half of it.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = 0.0f;
  if (i < N) {
    v = in[i] * (1 / 2);  // fault: wrong-result
    v += i + 1 < N ? in[i + 1] * (1.0f / 2.0f) : 0.0f;
    if (i == 0) v += in[0] * 0.5f;
    if (i == N - 1) v += in[i] * 0.5f;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
