/*---
title   = "Blocks that store to a common place in turn"
problem = "reduce"
idea    = "The partial sums are stored by block number modulo 4, so blocks 4 and 5 overwrite those of 0 and 1 or the other way round."
[launch]
block   = ["32"]
grid    = ["6"]
---*/

// size: 960
__device__ float partial[4];
__device__ unsigned finished;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x;
  float v = 0.0f;
  for (int i = blockIdx.x * 32 + t; i < N; i += 192) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) {
    partial[blockIdx.x % 4] = v;  // fault: race-global
    __threadfence();
    if (atomicInc(&finished, 5u) == 5u) {
      __threadfence();
      volatile float* p = partial;
      *out = p[0] + p[1] + p[2] + p[3];
    }
  }
}
