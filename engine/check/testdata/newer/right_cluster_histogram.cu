/*---
title   = "A histogram over the shared memory of a cluster"
idea    = "Each of two blocks has half of the bins; atomics go to the block whose bin it is."
[problem]
sizes   = { N = 40000, B = 256 }
buffers = [{ name = "in", type = "int", count = "N", fill = "random(0, B)" },
           { name = "bins", type = "int", count = "B", fill = "zero" }]
check   = "bins[i] == count(k, 0, N, in[k] == i)"
[launch]
block   = [128]
grid    = ["8"]
---*/

// right
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) kernel(const int* in, int* bins, int N, int B) {
  __shared__ int part[512];
  const auto cluster = cg::this_cluster();
  const int half = (B + 1) / 2, rank = cluster.block_rank();
  for (int b = threadIdx.x; b < half; b += blockDim.x) part[b] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const int bin = in[i];
    atomicAdd(cluster.map_shared_rank(part, bin / half) + bin % half, 1);
  }
  cluster.sync();
  for (int b = threadIdx.x; b < half && rank * half + b < B; b += blockDim.x)
    atomicAdd(&bins[rank * half + b], part[b]);
}
