/*---
title   = "The last block adds all partial sums, without a fence"
problem = "reduce"
idea    = "Between storing a partial sum and counting the block __threadfence() is missing: the last block may see the count and not the sum."
[launch]
block   = ["128"]
grid    = ["8"]
---*/

// size: 4096
__device__ float partial[8];
__device__ unsigned int finished = 0;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  __shared__ bool last;
  float v = 0.0f;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < N; i += gridDim.x * 128) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0] + s[1] + s[2] + s[3];  // fault: race-global
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) total += partial[b];  // fault: race-global
    *out = total;
    finished = 0;
  }
}
