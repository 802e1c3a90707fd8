/*---
title   = "V0 with a transposed copy"
problem = "minplus"
idea    = "As on a CPU, both operands are now read along rows: column j of d is row j of its transposed copy t."
watch   = "No better: a thread reads in a line, but the lanes of a warp still read 16 rows at once. What counts is what the lanes do together."
source  = "Programming Parallel Computers (ppc.cs.aalto.fi), chapter 4, V1, what does not work"
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

// r[i][j] = least d[i][k] + d[k][j] over k, all N x N and row-major. t is d transposed: t[j][k] = d[k][j].
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int i = blockIdx.x * BLOCK_X + threadIdx.x;
  const int j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i >= N || j >= N) return;

  float least = __int_as_float(0x7f800000);  // infinity
#pragma unroll 4
  for (int k = 0; k < N; ++k) {
    least = fminf(least, d[i * N + k] + t[j * N + k]);  // changed: t, along its row; d as before
  }
  r[i * N + j] = least;
}
