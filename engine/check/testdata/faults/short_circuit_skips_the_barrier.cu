/*---
title   = "A barrier behind &&"
problem = "copy"
idea    = "__syncthreads_or() stands to the right of &&, so threads for which the left side is false never reach it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 400
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const bool inside = i < N;
  float v = 0.0f;
  if (inside) v = in[i];
  const bool some = inside && __syncthreads_or(v > 0.5f);  // fault: divergent-barrier
  if (inside) out[i] = some ? v : in[i];
}
