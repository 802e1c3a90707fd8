/*---
title   = "A shared sum added to without atomics"
problem = "reduce"
idea    = "The lanes that lead their warps add to one shared number with an ordinary addition: two warps read the same old value and one sum is lost."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 600
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) total += v;  // fault: race-shared
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
