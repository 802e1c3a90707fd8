/*---
title   = "A full mask where half of the lanes call"
problem = "reduce"
idea    = "Only lanes 0 to 15 call the shuffle, and the mask names all 32: the call waits for lanes that never come to it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 640
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * 64 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncwarp();
  if (lane < 16) {
    float v = s[t] + s[t + 16];
    for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d, 16);  // fault: mask-without-caller
    if (lane == 0) atomicAdd(out, v);
  } else {
    __syncwarp(0xffff0000u);
    if (s[t] == 12345.0f) s[t] = 0.0f;
  }
}
