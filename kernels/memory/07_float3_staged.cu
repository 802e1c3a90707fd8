/*---
title   = "Staged through shared memory"
problem = "copy"
idea    = "The block copies its points as plain floats, coalesced, into shared memory; each thread then finds its point there, and back the same way."
watch   = "4 sectors an access with the points kept in threes. Lanes read shared memory 3 words apart, which is free of conflicts because 3 and 32 have no common factor."
source  = "NVIDIA, CUDA lectures, coalescing: float3 through shared memory"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads and points in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 3 * BLOCK)"]
---*/

// out[i] = in[i] for all i below N; point p is elements 3p, 3p + 1 and 3p + 2.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float arrived[3 * BLOCK], leaving[3 * BLOCK];
  const int thread = threadIdx.x, first = blockIdx.x * (3 * BLOCK);
#pragma unroll
  for (int c = 0; c < 3; ++c) {  // changed: as plain floats, BLOCK at a time
    const int i = first + c * BLOCK + thread;
    arrived[c * BLOCK + thread] = i < N ? in[i] : 0.0f;
  }
  __syncthreads();

#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const float coordinate = arrived[3 * thread + c];  // of this thread's point: what it would compute with
    leaving[3 * thread + c] = coordinate;
  }
  __syncthreads();

#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const int i = first + c * BLOCK + thread;
    if (i < N) out[i] = leaving[c * BLOCK + thread];
  }
}
