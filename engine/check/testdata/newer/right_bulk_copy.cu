/*---
title   = "One copy for the whole block"
idea    = "cuda::memcpy_async of a group with 16-byte alignment becomes one bulk copy by the copy engine on 9.0; the barrier waits for its bytes."
[problem]
sizes   = { N = 16384 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i - i % 256 + 255 - i % 256]"
[launch]
require = ["N % 256 == 0"]
block   = [256]
grid    = ["N / 256"]
---*/

// right
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ alignas(16) float tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  const int first = blockIdx.x * 256;
  cuda::memcpy_async(block, tile, in + first, cuda::aligned_size_t<16>(sizeof tile), bar);
  bar.arrive_and_wait();
  out[first + threadIdx.x] = tile[255 - threadIdx.x];
}
