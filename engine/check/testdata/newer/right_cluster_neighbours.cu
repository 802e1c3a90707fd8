/*---
title   = "Neighbours in a cluster"
idea    = "Four blocks a cluster: each reads the shared memory of the next block and gets values from the one after it in its own."
[problem]
sizes   = { N = 16384 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i - i % 1024 + (i + 256) % 1024] + in[i - i % 1024 + (i + 768) % 1024]"
[launch]
require = ["N % 1024 == 0"]
block   = [256]
grid    = ["N / 256"]
---*/

// right
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(4, 1, 1) kernel(const float* in, float* out, int N) {
  __shared__ float own[256], given[256];
  const auto cluster = cg::this_cluster();
  const int i = blockIdx.x * 256 + threadIdx.x;
  const unsigned rank = cluster.block_rank();
  own[threadIdx.x] = in[i];
  cluster.sync();
  // The next block's values are read; the own ones are written where the next block looks for them.
  const float next = cluster.map_shared_rank(own, (rank + 1) % 4)[threadIdx.x];
  cluster.map_shared_rank(given, (rank + 1) % 4)[threadIdx.x] = own[threadIdx.x];
  cluster.sync();
  out[i] = next + given[threadIdx.x];
}
