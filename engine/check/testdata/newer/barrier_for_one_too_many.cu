/*---
title   = "A barrier for one thread more than there are"
idea    = "The barrier waits for blockDim.x + 1 arrivals, of which one never comes."
[problem]
sizes   = { N = 4096 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i]"
[launch]
block   = [128]
grid    = ["ceil_div(N, 128)"]
---*/

#include <cuda/barrier>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x == 0) init(&bar, blockDim.x + 1);
  __syncthreads();
  bar.arrive_and_wait();  // fault: deadlock
  if (i < N) out[i] = in[i];
}
