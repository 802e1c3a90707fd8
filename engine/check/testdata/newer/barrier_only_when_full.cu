/*---
title   = "The next tile over the one that is read"
idea    = "One barrier hands the tile over; nothing says when all have read it, and the next round writes it."
[problem]
sizes   = { N = 8192 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i - i % 128 + 127 - i % 128]"
[launch]
require = ["N % 128 == 0"]
block   = [128]
grid    = ["4"]
---*/

#include <cuda/barrier>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  for (int first = blockIdx.x * 128; first < N; first += gridDim.x * 128) {
    tile[threadIdx.x] = in[first + threadIdx.x];  // fault: race-shared
    full.arrive_and_wait();
    out[first + threadIdx.x] = tile[127 - threadIdx.x];  // fault: race-shared
  }
}
