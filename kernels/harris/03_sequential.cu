/*---
title   = "Sequential addressing"
problem = "reduce"
idea    = "The distance begins with half of the block and is halved each round: the threads at work are the first ones, and they read neighbours."
watch   = "No bank conflict is left. But half of the threads do nothing from the first round on. 9.741 GB/s on the lecture's G80."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 3"
[params]
BLOCK = { default = 128, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block, elements it adds; the lecture has 128" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// *out, zero at the start, becomes the sum of in[N]. The lecture stores a sum for each block and adds those by
// launching the kernel again; here the blocks add theirs with atomicAdd, so that one launch is enough.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sdata[BLOCK];  // all else asks blockDim.x, which only the launch knows, as in the lecture
  const unsigned tid = threadIdx.x;
  const unsigned elements = N;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  sdata[tid] = i < elements ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {  // changed: backwards
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, sdata[0]);
}
