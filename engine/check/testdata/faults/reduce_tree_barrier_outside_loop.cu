/*---
title   = "Tree sum with its barrier outside the loop"
problem = "reduce"
idea    = "The barrier stands before the loop of the tree and not in it: the next step adds partial sums that another warp is still making."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 3000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sdata[256];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    float other = 0.0f;
    if (tid < s) other = sdata[tid + s];  // fault: race-shared
    __syncwarp();
    if (tid < s) sdata[tid] += other;  // fault: race-shared
    __syncwarp();
  }
  if (tid == 0) atomicAdd(out, sdata[0]);
}
