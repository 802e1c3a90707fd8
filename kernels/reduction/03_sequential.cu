/*---
title   = "Sequential addressing"
problem = "reduce"
idea    = "The same tree, but the lower half of the threads adds the upper half: the threads at work are always the first ones."
watch   = "Whole warps fall idle instead of lanes, until only one warp is left; neighbouring lanes read neighbouring banks in every round."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 3"
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
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (thread < distance) partial[thread] += partial[thread + distance];  // changed: no remainder, no gaps
    __syncthreads();
  }
  if (thread == 0) atomicAdd(out, partial[0]);  // one addition a block
}
