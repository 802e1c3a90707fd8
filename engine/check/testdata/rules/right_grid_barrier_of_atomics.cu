/*---
title   = "A barrier of 64 blocks, made of an atomic"
problem = "reduce"
idea    = "All blocks are on the device at once: the first ones wait for those that begin last."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 8192
__device__ volatile float partial[64];
__device__ unsigned arrived;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned*)&arrived < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  v = 0.0f;
  for (int b = 0; b < gridDim.x; ++b) v += partial[b];
  *out = v;
}
