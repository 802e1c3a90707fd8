/*---
title   = "Warps wait at barriers of different numbers"
problem = "reduce"
idea    = "Even warps wait at barrier 1 and odd ones at barrier 2, each for all 128 threads: neither barrier is ever complete."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 512
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (lane == 0) s[warp] = v;
  asm volatile("bar.sync %0, 128;" ::"r"(1 + warp % 2) : "memory");  // fault: divergent-barrier // fault: deadlock
  if (threadIdx.x == 0) atomicAdd(out, s[0] + s[1] + s[2] + s[3]);
}
