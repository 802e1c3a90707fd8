/*---
title   = "Interleaved addressing, divergent"
problem = "reduce"
idea    = "A tree in shared memory. In the round with distance s, the threads divisible by 2 s add the sum that is s places on."
watch   = "The lanes at work are scattered over all warps, and the remainder is slow. The lecture measured 2.083 GB/s for 4 million integers on a G80, whose peak is 86.4."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 1"
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

  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, sdata[0]);
}
