/*---
title   = "Grid-stride loop"
problem = "reduce"
idea    = "A fixed number of blocks, a few for each multiprocessor, strides over the whole input: a thread adds as many elements as there are left for it."
watch   = "Shuffles, barriers and atomic additions no longer grow with N: at 64 million elements little but loads and additions is left. BLOCKS 132 is one block a multiprocessor of an H100."
source  = "M. Harris, Optimizing Parallel Reduction in CUDA, reduction 7; M. Harris, CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
BLOCKS = { default = 528, values = [33, 66, 132, 264, 528, 1056, 2112], meaning = "blocks in the grid, whatever N is" }
[launch]
block   = ["BLOCK"]
grid    = ["BLOCKS"]
---*/

__device__ float sum_of_warp(float value) {  // in lane 0
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[BLOCK / 32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

  float sum = 0.0f;
  const unsigned elements = N;  // unsigned: the last step may pass 2^31
  // The lanes of a warp stay together to the end: i - lane is the first one's.
  for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i - lane < elements; i += BLOCKS * BLOCK)  // changed
    sum += i < elements ? in[i] : 0.0f;
  sum = sum_of_warp(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = sum_of_warp(lane < BLOCK / 32 ? partial[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
