/*---
title   = "Totals handed on by volatile alone"
problem = "reduce"
idea    = "Total and flag are volatile, and nothing makes the total be there before the flag."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
__device__ volatile float total[64];
__device__ volatile int ready[64];

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
  if (blockIdx.x > 0) {
    while (ready[blockIdx.x - 1] == 0) {
    }
    v += total[blockIdx.x - 1];  // fault: race-global
  }
  total[blockIdx.x] = v;  // fault: race-global
  ready[blockIdx.x] = 1;
  if (blockIdx.x == gridDim.x - 1) *out = v;
}
