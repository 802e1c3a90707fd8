/*---
title   = "Whole warps return before a barrier"
problem = "reduce"
idea    = "Allowed since compute capability 7.0: __syncthreads() waits for the threads that have not exited, and the two warps that left share nothing."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 900
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t >= 64) return;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) atomicAdd(out, v);
  }
}
