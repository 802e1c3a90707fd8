/*---
title   = "Warp shuffles"
problem = "reduce"
idea    = "The lanes of a warp add each other's registers with shuffles; only one value a warp goes through shared memory."
watch   = "One barrier instead of one a round, and almost no shared memory traffic. PER_THREAD elements a thread cut the blocks and their atomic additions."
source  = "J. Luitjens, Faster Parallel Reductions on Kepler; M. Harris, Optimizing Parallel Reduction in CUDA, reduction 7"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
PER_THREAD = { default = 8, values = [1, 2, 4, 8, 16], meaning = "elements that each thread adds first" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK * PER_THREAD)"]
---*/

__device__ float sum_of_warp(float value) {  // in lane 0
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[BLOCK / 32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int first = blockIdx.x * (BLOCK * PER_THREAD) + threadIdx.x;

  float sum = 0.0f;
#pragma unroll
  for (int e = 0; e < PER_THREAD; ++e) {  // BLOCK apart: lanes stay neighbours in memory
    const int i = first + e * BLOCK;
    if (i < N) sum += in[i];
  }
  sum = sum_of_warp(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = sum_of_warp(lane < BLOCK / 32 ? partial[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
