/*---
title   = "An index of 16 bits"
problem = "copy"
idea    = "Above 65,535 the index begins at 0 again."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 100000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const unsigned short i = (unsigned short)blockIdx.x * 128 + threadIdx.x;
  if (i < N) out[i] = in[i];  // fault: unwritten-output  // fault: race-global
}
