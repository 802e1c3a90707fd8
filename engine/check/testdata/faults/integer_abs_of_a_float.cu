/*---
title   = "A float through an int"
problem = "copy"
idea    = "The value is taken apart into its sign and the integer part that a cast leaves."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 500
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= N) return;
  const float sign = in[i] < 0.0f ? -1.0f : 1.0f;
  const int size = (int)(in[i] * sign);  // fault: wrong-result
  out[i] = sign * size;  // fault: wrong-result
}
