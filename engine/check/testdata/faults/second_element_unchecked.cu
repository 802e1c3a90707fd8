/*---
title   = "The second element of a thread is not checked"
problem = "reduce"
idea    = "The first addition while loading checks the first element against N but not the one a block further on."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sdata[128];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sdata[tid] = 0.0f;
  if (i < N) sdata[tid] = in[i] + in[i + blockDim.x];  // fault: out-of-bounds
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, sdata[0]);
}
