/*---
title   = "Sorted to one behind the end"
problem = "copy"
idea    = "The last of five is compared with what stands behind the array."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  float w[5];
  for (int k = 0; k < 5; ++k) w[k] = in[i];
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5 - a; ++b)
      if (w[b] > w[b + 1]) {  // fault: out-of-array
        const float kept = w[b];
        w[b] = w[b + 1];
        w[b + 1] = kept;
      }
  out[i] = w[2];
}
