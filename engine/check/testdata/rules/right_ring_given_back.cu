/*---
title   = "A ring of scratch whose parts are given back"
problem = "copy"
idea    = "Block b waits until block b - 100, which had its part of the ring before, says that it is done."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 60000
__device__ float ring[100 * 64];
__device__ int done[1 << 14];

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, b = blockIdx.x, i = b * 64 + t;
  float* part = ring + b % 100 * 64;
  if (t == 0 && b >= 100) {
    while (atomicAdd(&done[b - 100], 0) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  part[t] = i < N ? in[i] : 0;
  __syncthreads();
  if (i < N) out[i] = in[i] + 0 * part[t ^ 1];
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicExch(&done[b], 1);
  }
}
