/*---
title   = "Read before the copy has come"
idea    = "The block arrives at the barrier of the copy and reads the tile without waiting for it."
[problem]
sizes   = { N = 4096 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i - i % 128 + 127 - i % 128]"
[launch]
require = ["N % 128 == 0"]
block   = [128]
grid    = ["N / 128"]
---*/

#include <cuda/barrier>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(tile + threadIdx.x, in + i, sizeof(float), bar);  // fault: race-async
  auto token = bar.arrive();
  out[i] = tile[127 - threadIdx.x];  // fault: race-async
}
