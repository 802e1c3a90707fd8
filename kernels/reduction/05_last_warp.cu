/*---
title   = "The last warp by shuffles"
problem = "reduce"
idea    = "When 32 sums are left one warp is at work, and its lanes need neither barriers nor shared memory to add each other's registers."
watch   = "Five rounds of the tree, with their barriers and their shared accesses for ever fewer lanes, become five shuffles."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 5, with the shuffles of J. Luitjens, Faster Parallel Reductions on Kepler"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block; it adds twice as many elements" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 2 * BLOCK)"]
---*/

__device__ float sum_of_warp(float value) {  // in lane 0
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[BLOCK];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * (2 * BLOCK) + thread;
  partial[thread] = (i < N ? in[i] : 0.0f) + (i + BLOCK < N ? in[i + BLOCK] : 0.0f);
  __syncthreads();

#pragma unroll 1
  for (int distance = BLOCK / 2; distance >= 32; distance /= 2) {  // changed: down to one warp
    if (thread < distance) partial[thread] += partial[thread + distance];
    __syncthreads();
  }
  if (thread < 32) {
    const float sum = sum_of_warp(partial[thread]);
    if (thread == 0) atomicAdd(out, sum);  // one addition a block
  }
}
