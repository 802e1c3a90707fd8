/*---
title   = "A flag set without a fence"
problem = "reduce"
idea    = "Block 0 stores its sum and sets a flag without a fence between them; block 1 sees the flag but perhaps not the sum."
[launch]
block   = ["128"]
grid    = ["2"]
---*/

// size: 256
__device__ float first_half;
__device__ volatile int ready = 0;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x != 0) return;
  v = s[0] + s[1] + s[2] + s[3];
  if (blockIdx.x == 0) {
    first_half = v;  // fault: race-global
    ready = 1;
  } else {
    while (ready == 0) {
    }
    *out = v + first_half;  // fault: race-global
  }
}
