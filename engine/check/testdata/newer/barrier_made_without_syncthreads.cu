/*---
title   = "A barrier that others may find before it is made"
idea    = "Thread 0 initializes the barrier, and nothing keeps the other warps from arriving at it before."
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
  if (threadIdx.x == 0) init(&bar, blockDim.x);  // fault: race-shared
  bar.arrive_and_wait();  // fault: race-shared
  if (i < N) out[i] = in[i];
}
