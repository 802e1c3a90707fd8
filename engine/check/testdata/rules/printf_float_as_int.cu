/*---
title   = "A float printed as an int"
problem = "copy"
idea    = "The eight bytes of a double are read as an int."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i == 0) printf("in[0] = %d\n", in[0]);  // fault: printf-format
  if (i < N) out[i] = in[i];
}
