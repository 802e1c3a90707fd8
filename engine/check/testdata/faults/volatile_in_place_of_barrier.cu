/*---
title   = "volatile is not a barrier"
problem = "reduce"
idea    = "volatile makes each access a real one, but the four warps of the block still run at their own speed: the tree needs barriers."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ volatile float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (t < 64) s[t] = s[t] + s[t + 64];  // fault: race-shared
  __syncwarp();
  if (t < 32) {
    float v = s[t] + s[t + 32];  // fault: race-shared
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) atomicAdd(out, v);
  }
}
