/*---
title   = "Whole warps return after the last barrier"
problem = "reduce"
idea    = "Looks like lanes that leave before a shuffle under a full mask, but whole warps leave, and after the last barrier of the block."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (t >= 32) return;
  float v = s[t] + s[t + 32] + s[t + 64] + s[t + 96];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) atomicAdd(out, v);
}
