/*---
title   = "A shuffle called by the leaders of warps"
problem = "reduce"
idea    = "The second stage shuffles eight sums with lanes 0 to 7 only, but names all lanes in the mask while the other 24 lanes wait at a barrier of the block."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 2048
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[8];
  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * 256 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (lane == 0) s[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = s[t];
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);  // fault: mask-without-caller // fault: deadlock
  }
  __syncthreads();
  if (t == 0) atomicAdd(out, v);
}
