/*---
title   = "A vote under the mask of a whole warp in a short one"
problem = "reduce"
idea    = "The last 8 lanes of each warp leave before the vote that names all lanes, and wait at another __syncwarp() of theirs."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// size: 96
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 96 + threadIdx.x, lane = threadIdx.x % 32;
  float v = i < N ? in[i] : 0.0f;
  if (lane < 24) {
    if (__all_sync(0xffffffffu, v > 5.0f)) v = 0.0f;  // fault: mask-without-caller // fault: deadlock
  } else {
    __syncwarp(0xff000000u);
    v += 0.0f;
  }
  __syncwarp();
  atomicAdd(out, v);
}
