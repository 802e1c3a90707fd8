/*---
title   = "A shared total that begins with anything"
problem = "reduce"
idea    = "The block's total is never set to zero before the threads add to it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 640
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float total;
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < N) atomicAdd(&total, in[i]);  // fault: uninitialized-shared
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);  // fault: uninitialized-shared
}
