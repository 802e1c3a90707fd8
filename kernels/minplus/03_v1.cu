/*---
title   = "V1: i and j exchanged"
problem = "minplus"
idea    = "The kernel of V0 with the roles of x and y exchanged: threadIdx.x is now j and walks along a row of d and of r."
watch   = "The 32 lanes read 2 elements of d[i][k], each a broadcast to 16 of them, and 16 neighbours of d[k][j]: 2 sectors a load where V0 had 16 and 1."
source  = "Programming Parallel Computers (ppc.cs.aalto.fi), chapter 4, V1"
[params]
BLOCK_X = { default = 16, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "columns of r in a block, along threadIdx.x" }
BLOCK_Y = { default = 16, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "rows of r in a block, along threadIdx.y" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X)", "ceil_div(N, BLOCK_Y)"]
require = [
  { test = "BLOCK_X * BLOCK_Y <= 1024", reason = "A block has at most 1024 threads" },
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
]
---*/

// r[i][j] = least d[i][k] + d[k][j] over k, all N x N and row-major. t is d transposed: not used here.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;  // changed: neighbouring lanes are neighbours in memory
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i >= N || j >= N) return;

  float least = __int_as_float(0x7f800000);  // infinity
#pragma unroll 4
  for (int k = 0; k < N; ++k) {
    least = fminf(least, d[i * N + k] + d[k * N + j]);  // one or two elements for all; runs of neighbours
  }
  r[i * N + j] = least;
}
