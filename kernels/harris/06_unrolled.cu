/*---
title   = "Completely unrolled"
problem = "reduce"
idea    = "The compiler knows the block size now, as a template parameter in the lecture and as a parameter of the file here: the rounds are written out, and no loop and no counter is left."
watch   = "The same additions and barriers as in step 5 with fewer instructions around them. 43.996 GB/s on the lecture's G80."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 6"
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
  __shared__ float sdata[BLOCK];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * (2 * BLOCK) + tid;
  sdata[tid] = (i < N ? in[i] : 0.0f) + (i + BLOCK < N ? in[i + BLOCK] : 0.0f);
  __syncthreads();

  // changed: BLOCK is known to the compiler, which decides these tests: nothing of them is left in the program.
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
