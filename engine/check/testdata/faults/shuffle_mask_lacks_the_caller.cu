/*---
title   = "A mask of the lower half, called by all"
problem = "reduce"
idea    = "All 32 lanes call the shuffle with a mask of the lower 16: the upper lanes are not in their own mask."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 512
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  float v = i < N ? in[i] : 0.0f;
  v += __shfl_xor_sync(0xffffffffu, v, 16);
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffffu, v, d, 16);  // fault: mask-without-caller
  if (lane == 0) atomicAdd(out, v);
}
