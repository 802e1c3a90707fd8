/*---
title   = "Interleaved, strided index"
problem = "reduce"
idea    = "The same tree, but the first threads do the work of each round: thread t adds for element 2 * distance * t."
watch   = "Whole warps fall idle instead of scattered lanes, but now lanes stand 2 * distance words apart: 2-way, 4-way and 8-way bank conflicts, and 32-way with BLOCK 1024."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 2"
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
    const int first = 2 * distance * thread;  // changed: no remainder, threads without gaps
    if (first < BLOCK) partial[first] += partial[first + distance];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(out, partial[0]);  // one addition a block
}
