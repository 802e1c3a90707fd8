/*---
title   = "The last step of the shuffles missing"
problem = "reduce"
idea    = "The distance runs from 16 to 2: the sum of lane 1 is never added to that of lane 0."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 640
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 1; d /= 2)  // fault: wrong-result
    v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(out, v);
  }
}
