/*---
title   = "Two stages of a pipeline of the whole block"
idea    = "While the block works on one tile the next one is copied: cuda::pipeline with two stages, all threads produce and consume."
[problem]
sizes   = { N = 30000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == 2 * in[i]"
[launch]
block   = [128]
grid    = ["min(ceil_div(N, 512), 16)"]
---*/

// right
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int tiles = (N + 127) / 128;
  int fetched = blockIdx.x, stage = 0, filled = 0;
  for (int at = blockIdx.x; at < tiles; at += gridDim.x, stage ^= 1) {
    for (; fetched < tiles && fetched < at + 2 * (int)gridDim.x; fetched += gridDim.x, filled ^= 1) {
      pipe.producer_acquire();
      const int count = min(128, N - fetched * 128);
      if ((int)threadIdx.x < count)
        cuda::memcpy_async(&tile[filled][threadIdx.x], in + fetched * 128 + threadIdx.x, sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    const int i = at * 128 + threadIdx.x;
    if (i < N) out[i] = 2 * tile[stage][127 - (127 - threadIdx.x)];
    pipe.consumer_release();
  }
}
