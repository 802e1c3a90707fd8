/*---
title   = "A shared sum read before it is complete"
problem = "reduce"
idea    = "Thread 0 reads the block's sum as soon as it has added its own element: the barrier between the atomic additions and the read is missing."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1200
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s;
  if (threadIdx.x == 0) s = 0.0f;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) atomicAdd(&s, in[i]);  // fault: race-shared
  __syncwarp();
  if (threadIdx.x == 0) {
    atomicAdd(out, s);  // fault: race-shared
  }
}
