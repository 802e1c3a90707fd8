/*---
title   = "Interleaved, divergent"
problem = "reduce"
idea    = "A tree in shared memory: in each round every second remaining thread adds its neighbour's sum, chosen by a remainder."
watch   = "The active lanes are scattered over all warps: in the round with distance 16 every warp still issues its instructions, for 1 lane of 32."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 1"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block, elements it adds" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[BLOCK];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * BLOCK + thread;
  partial[thread] = i < N ? in[i] : 0.0f;
  __syncthreads();

#pragma unroll 1
  for (int distance = 1; distance < BLOCK; distance *= 2) {
    if (thread % (2 * distance) == 0) partial[thread] += partial[thread + distance];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(out, partial[0]);  // one addition a block
}
