/*---
title   = "Finished blocks counted without an atomic"
problem = "reduce"
idea    = "The number of finished blocks is raised by an ordinary ++, so two blocks may count as one and nobody is the last."
[launch]
block   = ["64"]
grid    = ["8"]
---*/

// size: 2048
__device__ float sums[8];
__device__ volatile unsigned blocks_done;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[2];
  float v = 0.0f;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < N; i += 512) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicExch(&sums[blockIdx.x], s[0] + s[1]);
    __threadfence();
    const unsigned before = blocks_done;  // fault: race-global
    blocks_done = before + 1;             // fault: race-global
    if (before == 7) {
      __threadfence();
      float total = 0.0f;
      for (int b = 0; b < 8; ++b) total += atomicAdd(&sums[b], 0.0f);
      *out = total;
    }
  }
}
