/*---
title   = "Vectorized loads"
problem = "reduce"
idea    = "The grid-stride loop reads a float4 at a time: four elements with one instruction, 512 bytes a warp."
watch   = "A quarter of the load requests for the same sectors: 16 in each. The up to three elements that are left over are added one by one."
source  = "CUDA Pro Tip: Increase Performance with Vectorized Memory Access"
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
  const unsigned thread = blockIdx.x * BLOCK + threadIdx.x;

  float sum = 0.0f;
  const float4* fours = reinterpret_cast<const float4*>(in);  // changed: `in` begins on a multiple of 16 bytes
  const unsigned count = N / 4;
  for (unsigned i = thread; i - lane < count; i += BLOCKS * BLOCK) {
    const float4 v = i < count ? fours[i] : float4{0.0f, 0.0f, 0.0f, 0.0f};
    sum += (v.x + v.y) + (v.z + v.w);
  }
  if (thread < N % 4) sum += in[N / 4 * 4 + thread];
  sum = sum_of_warp(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = sum_of_warp(lane < BLOCK / 32 ? partial[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
