/*---
title   = "Interleaved addressing, strided index"
problem = "reduce"
idea    = "The same tree, but the first threads do the work: thread tid adds for element 2 s tid. No remainder, and whole warps agree."
watch   = "Lanes are 2 s words apart now: bank conflicts. 4.854 GB/s on the lecture's G80."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 2"
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
    const unsigned index = 2 * s * tid;  // changed
    if (index < blockDim.x) sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, sdata[0]);
}
