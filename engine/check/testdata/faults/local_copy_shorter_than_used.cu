/*---
title   = "Seven of eight elements loaded"
problem = "copy"
idea    = "The loop that loads the thread's eight elements stops one early."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 512)"]
---*/

// size: 1024
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float v[8];  // fault: uninitialized-local // fault: uninitialized-register
  const int first = blockIdx.x * 512 + threadIdx.x;
#pragma unroll 1
  for (int e = 0; e + 1 < 8; ++e)
    if (first + e * 64 < N) v[e] = in[first + e * 64];
#pragma unroll 1
  for (int e = 0; e < 8; ++e)
    if (first + e * 64 < N) out[first + e * 64] = v[e];  // fault: uninitialized-local // fault: uninitialized-register
}
