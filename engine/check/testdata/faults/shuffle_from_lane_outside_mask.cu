/*---
title   = "A shuffle from a lane outside the mask"
problem = "copy"
idea    = "The lower 16 lanes shuffle among themselves but read from lane 16, which is not in the mask and does not call."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 300
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  float v = i < N ? in[i] : 0.0f;
  float from = v;
  if (lane < 16) {
    from = __shfl_sync(0x0000ffffu, v, lane + 1);  // fault: inactive-source-lane
  }
  if (i < N) out[i] = lane < 16 && from == 1234.5f ? from : v;
}
