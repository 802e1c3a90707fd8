/*---
title   = "Every thread adds to the result"
problem = "reduce"
idea    = "Every thread adds its element to *out with an ordinary addition, the first reduction that everybody writes."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 500
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  float mine = 0.0f;
  for (int i = first; i < first + 2; ++i) {
    if (i < N) mine += in[i];
  }
  if (first < N) {
    *out = *out + mine;  // fault: race-global
  }
}
