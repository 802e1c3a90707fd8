/*---
title   = "A local array one element too short"
problem = "copy"
idea    = "Eight elements go through a local array of seven."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float held[7];
  const int first = (blockIdx.x * 32 + threadIdx.x) * 8;
  const int count = min(8, N - first);
#pragma unroll 1
  for (int e = 0; e < count; ++e) held[e] = in[first + e];  // fault: out-of-bounds
#pragma unroll 1
  for (int e = count - 1; e >= 0; --e) out[first + e] = held[e];  // fault: out-of-bounds
}
