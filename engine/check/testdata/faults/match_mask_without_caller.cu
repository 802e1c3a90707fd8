/*---
title   = "__shfl_sync with the mask of the other half"
problem = "copy"
idea    = "The two halves of the warp have each other's mask: no lane is in the mask that it passes."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 128
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  const float v = i < N ? in[i] : 0.0f;
  const unsigned mask = lane < 16 ? 0xffff0000u : 0x0000ffffu;
  const float w = __shfl_sync(mask, v, lane ^ 0);  // fault: mask-without-caller
  if (i < N) out[i] = w;
}
