/*---
title   = "Half of the block copies, half of it computes"
idea    = "Producers and consumers of a cuda::pipeline: each stage is handed over by two barriers in shared memory."
[problem]
sizes   = { N = 20000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i] + 1"
[launch]
block   = [128]
grid    = ["min(ceil_div(N, 64), 8)"]
---*/

// right
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const auto role = threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  const int lane = threadIdx.x % 64;
  int stage = 0;
  for (int first = blockIdx.x * 64; first < N; first += gridDim.x * 64, stage ^= 1) {
    const bool inside = first + lane < N;
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      if (inside) cuda::memcpy_async(&tile[stage][lane], in + first + lane, sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      if (inside) out[first + lane] = tile[stage][lane] + 1;
      pipe.consumer_release();
    }
  }
}
