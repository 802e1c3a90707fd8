/*---
title   = "An unsigned index below zero"
problem = "reduce"
idea    = "first - 1 is computed in unsigned 32-bit arithmetic and used as a 64-bit index: for the first thread that is 4294967295."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 300
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const unsigned first = blockIdx.x * 64 + threadIdx.x;
  float v = 0.0f;
  if (first < N) {
    v = in[first];
    const float before = in[first - 1u];  // fault: out-of-bounds
    if (before > 1.0e20f) v = 0.0f;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
