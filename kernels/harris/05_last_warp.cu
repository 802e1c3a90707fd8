/*---
title   = "The last warp unrolled"
problem = "reduce"
idea    = "When 64 sums are left, one warp is at work. Its six rounds are written out: no loop, no test, no barrier of the block."
watch   = "All warps are spared six rounds of loop, test and barrier, not only the last one. 31.289 GB/s on the lecture's G80."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 5"
[params]
BLOCK = { default = 128, values = [64, 128, 256, 512], meaning = "threads in a block; it adds twice as many elements; the lecture has 128" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 2 * BLOCK)"]
---*/

// The last six rounds. The lecture has no barrier here, because a warp of its G80 runs in step; chips since 2017 do not
// promise that, so the lanes wait for each other between reading and writing.
__device__ void add(float* sdata, int tid, int distance, float& sum) {
  sum += sdata[tid + distance];
  __syncwarp();
  sdata[tid] = sum;
  __syncwarp();
}

__device__ void add_last_64(float* sdata, int tid) {
  float sum = sdata[tid];
  add(sdata, tid, 32, sum);
  add(sdata, tid, 16, sum);
  add(sdata, tid, 8, sum);
  add(sdata, tid, 4, sum);
  add(sdata, tid, 2, sum);
  add(sdata, tid, 1, sum);
}

// *out, zero at the start, becomes the sum of in[N]. The lecture stores a sum for each block and adds those by
// launching the kernel again; here the blocks add theirs with atomicAdd, so that one launch is enough.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sdata[BLOCK];  // all else asks blockDim.x, which only the launch knows, as in the lecture
  const unsigned tid = threadIdx.x;
  const unsigned elements = N;
  const unsigned i = blockIdx.x * (2 * blockDim.x) + tid;
  sdata[tid] = (i < elements ? in[i] : 0.0f) + (i + blockDim.x < elements ? in[i + blockDim.x] : 0.0f);
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {  // changed: down to one warp
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) add_last_64(sdata, tid);  // changed
  if (tid == 0) atomicAdd(out, sdata[0]);
}
