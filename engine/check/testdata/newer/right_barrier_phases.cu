/*---
title   = "A barrier of shared memory, phase after phase"
idea    = "All threads of the block arrive at a cuda::barrier, work on, and wait; the next phase keeps the tile until everybody has read it."
[problem]
sizes   = { N = 20000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i] + in[i % 256 == 255 || i == N - 1 ? i - i % 256 : i + 1]"
[launch]
block   = [256]
grid    = ["min(ceil_div(N, 256), 20)"]
---*/

// right
#include <cuda/barrier>
#include <cuda/std/utility>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&full, blockDim.x);
    init(&empty, blockDim.x);
  }
  __syncthreads();
  for (int first = blockIdx.x * 256; first < N; first += gridDim.x * 256) {
    const int count = min(256, N - first);
    const float own = t < count ? in[first + t] : 0.0f;
    tile[t] = own;
    auto token = full.arrive();
    const int next = t + 1 < count ? t + 1 : 0;
    full.wait(cuda::std::move(token));
    if (t < count) out[first + t] = own + tile[next];
    empty.arrive_and_wait();
  }
}
