/*---
title   = "Inclusive scan in one buffer with one barrier"
problem = "reduce"
idea    = "In each step of the scan a thread reads the element that another one overwrites in the same step: between read and write a barrier is missing."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 700
// The last element of the scan is the sum of the block.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float scan[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  scan[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int offset = 32; offset < 256; offset *= 2) {
    if (t >= offset) scan[t] += scan[t - offset];  // fault: race-shared
    __syncthreads();
  }
  // Each of the last 32 elements now holds the sum of every 32nd before it.
  if (t < 224) return;
  atomicAdd(out, scan[t]);
}
