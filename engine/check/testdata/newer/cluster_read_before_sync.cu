/*---
title   = "A block of the cluster reads too early"
idea    = "Each block reads the other's tile, and nothing says that it is filled."
[problem]
sizes   = { N = 4096 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i % 512 < 256 ? i + 256 : i - 256]"
[launch]
require = ["N % 512 == 0"]
block   = [256]
grid    = ["N / 256"]
---*/

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) kernel(const float* in, float* out, int N) {
  __shared__ float tile[256];
  const auto cluster = cg::this_cluster();
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = in[i];  // fault: race-shared
  __syncthreads();
  const float* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[i] = other[threadIdx.x];  // fault: race-shared // fault: uninitialized-shared
  cluster.sync();
}
