/*---
title   = "Lane and warp mixed up"
problem = "reduce"
idea    = "The sum of the block is added by every warp's first lane in place of by one thread."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[8];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  v = t % 32 < 8 ? s[t % 32] : 0.0f;
  for (int d = 4; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) atomicAdd(out, v);  // fault: wrong-result
}
