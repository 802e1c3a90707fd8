/*---
title   = "First addition while loading"
problem = "reduce"
idea    = "Half of the threads did nothing but load: now each thread adds two elements on their way into shared memory, and half as many blocks do."
watch   = "The same sectors with half the threads, barriers and atomic additions; the shared stores and the first round of the tree are halved too."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 4"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block; it adds twice as many elements" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 2 * BLOCK)"]
---*/

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[BLOCK];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * (2 * BLOCK) + thread;
  partial[thread] = (i < N ? in[i] : 0.0f) + (i + BLOCK < N ? in[i + BLOCK] : 0.0f);  // changed
  __syncthreads();

#pragma unroll 1
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (thread < distance) partial[thread] += partial[thread + distance];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(out, partial[0]);  // one addition a block
}
