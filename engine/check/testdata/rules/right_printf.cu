/*---
title   = "Formats that fit"
problem = "copy"
idea    = "Each conversion has an argument of its type, and %% none."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i == 0) printf("%u of %d: %.3f %s %p %lu 100%%\n", threadIdx.x, N, in[0], "ok", (const void*)in, sizeof(float));
  if (i < N) out[i] = in[i];
}
