/*---
title   = "V0: the formula as it stands"
problem = "minplus"
idea    = "One thread computes one element of r; threadIdx.x is the i and threadIdx.y the j of the formula."
watch   = "The lanes of a warp read d[i][k] from 16 rows, one sector each, of which they use 4 bytes of 32; the store of r is spread the same way."
source  = "Programming Parallel Computers (ppc.cs.aalto.fi), chapter 4, V0"
[params]
BLOCK_X = { default = 16, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "rows of r in a block, along threadIdx.x" }
BLOCK_Y = { default = 16, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "columns of r in a block, along threadIdx.y" }
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
  const int i = blockIdx.x * BLOCK_X + threadIdx.x;  // neighbouring lanes: different rows
  const int j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i >= N || j >= N) return;

  float least = __int_as_float(0x7f800000);  // infinity
#pragma unroll 4
  for (int k = 0; k < N; ++k) {
    least = fminf(least, d[i * N + k] + d[k * N + j]);  // stride N between lanes; one or two elements for all
  }
  r[i * N + j] = least;
}
