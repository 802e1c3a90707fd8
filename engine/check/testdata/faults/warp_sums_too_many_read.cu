/*---
title   = "More warp sums read than there are"
problem = "reduce"
idea    = "Six warps store their sums, and the second stage adds eight: two of them were never stored."
[launch]
block   = ["192"]
grid    = ["5"]
---*/

// size: 3000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[8];
  const int t = threadIdx.x, lane = t % 32;
  float v = 0.0f;
  for (int i = blockIdx.x * 192 + t; i < N; i += gridDim.x * 192) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (lane == 0) s[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    v = lane < 8 ? s[lane] : 0.0f;  // fault: uninitialized-shared
    for (int d = 4; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (lane == 0) atomicAdd(out, v);
  }
}
