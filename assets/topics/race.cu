/*---
title   = "Read what others write"
problem = "copy"
idea    = "The threads of a block bring the elements into shared memory in turned order, and each takes out one that another thread has written."
watch   = "With BARRIER 0 nothing makes a thread wait for the one whose element it reads: a race. BARRIER 1 puts __syncthreads() between."
[params]
BLOCK   = { default = 256, values = [64, 128, 256, 512, 1024], meaning = "threads in a block" }
BARRIER = { default = 1, values = [0, 1], meaning = "1: __syncthreads() between writing and reading; 0: nothing" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float staged[BLOCK];
  const int first = blockIdx.x * BLOCK, turned = BLOCK - 1 - threadIdx.x;
  if (first + turned < N) staged[turned] = in[first + turned];
  if (BARRIER) __syncthreads();
  const int i = first + threadIdx.x;
  if (i < N) out[i] = staged[threadIdx.x];
}
