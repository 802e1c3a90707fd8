/*---
title   = "A ring of one buffer with one barrier, right"
problem = "copy"
idea    = "With two buffers one barrier a turn is enough, with one it is not."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 1024)"]
---*/

// right
// size: 5000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float ring[2][128];
  const int t = threadIdx.x;
  for (int k = 0; k < 8; ++k) {
    const int i = (blockIdx.x * 8 + k) * 128 + t;
    ring[k % 2][t] = i < N ? in[i] : 0.0f;
    __syncthreads();
    if (i < N) out[i] = ring[k % 2][t] + 0.0f * ring[k % 2][127 - t];
  }
}
