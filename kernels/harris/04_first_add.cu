/*---
title   = "First addition during the load"
problem = "reduce"
idea    = "Each thread loads two elements and adds them on the way into shared memory. Half as many blocks do."
watch   = "The same sectors, half as many blocks. The lecture's 17.377 GB/s on a G80 are far from its peak of 86.4: it looks for the rest in instructions that are neither loads nor additions of data."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 4"
[params]
BLOCK = { default = 128, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block; it adds twice as many elements; the lecture has 128" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 2 * BLOCK)"]
---*/

// *out, zero at the start, becomes the sum of in[N]. The lecture stores a sum for each block and adds those by
// launching the kernel again; here the blocks add theirs with atomicAdd, so that one launch is enough.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sdata[BLOCK];  // all else asks blockDim.x, which only the launch knows, as in the lecture
  const unsigned tid = threadIdx.x;
  const unsigned elements = N;
  const unsigned i = blockIdx.x * (2 * blockDim.x) + tid;
  sdata[tid] = (i < elements ? in[i] : 0.0f) + (i + blockDim.x < elements ? in[i + blockDim.x] : 0.0f);  // changed
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, sdata[0]);
}
