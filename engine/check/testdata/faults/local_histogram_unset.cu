/*---
title   = "Local bins that begin with anything"
problem = "reduce"
idea    = "Each thread sums its elements by bins in a local array, and the bins are not zeroed."
[launch]
block   = ["32"]
grid    = ["3"]
---*/

// size: 900
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float bin[4];  // fault: uninitialized-local
  bin[0] = 0.0f;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < N; i += 96) {
    const float v = in[i];
    const int b = v < -0.5f ? 0 : v < 0.0f ? 1 : v < 0.5f ? 2 : 3;
    bin[b] += v;  // fault: uninitialized-local
  }
  float sum = 0.0f;
#pragma unroll 1
  for (int b = 0; b < 4; ++b) sum += bin[b];  // fault: uninitialized-local
  atomicAdd(out, sum);
}
