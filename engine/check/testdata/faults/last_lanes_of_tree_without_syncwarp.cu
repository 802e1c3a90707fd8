/*---
title   = "Guarded steps in the last warp, no __syncwarp()"
problem = "reduce"
idea    = "The steps below 32 are guarded and stand in a loop without a barrier, on the grounds that they run in one warp: __syncwarp() is missing."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 512
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];  // fault: race-warp
    if (d > 32) __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
