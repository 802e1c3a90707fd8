/*---
title   = "Two halves of a warp with their own masks"
problem = "reduce"
idea    = "Looks like masks without all lanes, but each half shuffles only among itself, under a mask of just its lanes."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 640
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;
  float v = i < N ? in[i] : 0.0f;
  if (lane < 16) {
    for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(0x0000ffffu, v, d, 16);
  } else {
    for (int d = 8; d > 0; d >>= 1) v += __shfl_xor_sync(0xffff0000u, v, d);
  }
  if (lane % 16 == 0) atomicAdd(out, v);
}
