/*---
title   = "Values tidied up in the input"
problem = "copy"
idea    = "Tiny values are set to zero in the input before they are copied."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 700
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= N) return;
  float v = in[i];
  if (fabsf(v) < 1.0e-30f) {
    v = 0.0f;
  }
  ((float*)in)[i] = v;  // fault: write-to-input
  out[i] = v;
}
