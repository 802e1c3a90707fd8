/*---
title   = "Many additions a thread"
problem = "reduce"
idea    = "The number of blocks is fixed. Each thread goes through the input in steps of the whole grid, and adds two elements in each step."
watch   = "The tree is made once for BLOCKS blocks, whatever N is; the rest is loads and additions. 62.671 GB/s on the lecture's G80, and 72 for 32 million integers."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 7"
[params]
BLOCK = { default = 128, values = [64, 128, 256, 512], meaning = "threads in a block; the lecture has 128" }
BLOCKS = { default = 256, values = [64, 128, 256, 528, 1056, 2112], meaning = "blocks in the grid, whatever N is; the lecture found 64 to 256 best on a G80" }
[launch]
block   = ["BLOCK"]
grid    = ["BLOCKS"]
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
  __shared__ float sdata[BLOCK];
  const int tid = threadIdx.x;
  const unsigned elements = N;  // unsigned: the last step may pass 2^31
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * (2 * BLOCK) + tid; i < elements; i += 2 * BLOCK * BLOCKS) {  // changed
    sum += in[i];
    if (i + BLOCK < elements) sum += in[i + BLOCK];
  }
  sdata[tid] = sum;
  __syncthreads();

  // BLOCK is known to the compiler, which decides these tests: nothing of them is left in the program.
  if (BLOCK >= 512) {
    if (tid < 256) sdata[tid] += sdata[tid + 256];
    __syncthreads();
  }
  if (BLOCK >= 256) {
    if (tid < 128) sdata[tid] += sdata[tid + 128];
    __syncthreads();
  }
  if (BLOCK >= 128) {
    if (tid < 64) sdata[tid] += sdata[tid + 64];
    __syncthreads();
  }
  if (tid < 32) add_last_64(sdata, tid);
  if (tid == 0) atomicAdd(out, sdata[0]);
}
