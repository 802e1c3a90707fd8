/*---
title   = "V2: a register tile per thread"
problem = "minplus"
idea    = "Each thread computes TM x TN elements of r, so that TM + TN loads feed TM * TN steps; t brings column elements of d as neighbours."
watch   = "Loads for each step fall from 2 to (TM + TN) / (TM * TN). The elements of a thread stand a block's width apart: the lanes of each load stay neighbours."
source  = "Programming Parallel Computers (ppc.cs.aalto.fi), chapter 4, V2"
[params]
BLOCK_X = { default = 8, values = [4, 8, 16, 32], meaning = "threads of a block along a row of r" }
BLOCK_Y = { default = 8, values = [4, 8, 16, 32], meaning = "threads of a block along a column of r" }
TM = { default = 8, values = [1, 2, 4, 8], meaning = "rows of r in a thread" }
TN = { default = 8, values = [1, 2, 4, 8], meaning = "columns of r in a thread" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X * TN)", "ceil_div(N, BLOCK_Y * TM)"]
require = [
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
  { test = "BLOCK_X * BLOCK_Y <= 512", reason = "This step keeps blocks at 512 threads, so that each thread can have 128 registers" },
]
---*/

// r[i][j] = least d[i][k] + d[k][j] over k, all N x N and row-major. t is d transposed: t[k][i] = d[i][k].
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int first_row = blockIdx.y * (BLOCK_Y * TM) + threadIdx.y;
  const int first_column = blockIdx.x * (BLOCK_X * TN) + threadIdx.x;
  int rows[TM], columns[TN];  // beyond the edge the last one stands in: read, never written
#pragma unroll
  for (int a = 0; a < TM; ++a) rows[a] = min(first_row + a * BLOCK_Y, N - 1);
#pragma unroll
  for (int b = 0; b < TN; ++b) columns[b] = min(first_column + b * BLOCK_X, N - 1);

  float least[TM][TN];  // stays in registers: every index below is known when compiling
#pragma unroll
  for (int a = 0; a < TM; ++a)
#pragma unroll
    for (int b = 0; b < TN; ++b) least[a][b] = __int_as_float(0x7f800000);  // infinity

#pragma unroll 1
  for (int k = 0; k < N; ++k) {
    float x[TM], y[TN];  // changed: a column of d, by way of t, and a row of d, then all their sums
#pragma unroll
    for (int a = 0; a < TM; ++a) x[a] = t[k * N + rows[a]];
#pragma unroll
    for (int b = 0; b < TN; ++b) y[b] = d[k * N + columns[b]];
#pragma unroll
    for (int a = 0; a < TM; ++a)
#pragma unroll
      for (int b = 0; b < TN; ++b) least[a][b] = fminf(least[a][b], x[a] + y[b]);
  }

#pragma unroll
  for (int a = 0; a < TM; ++a)
#pragma unroll
    for (int b = 0; b < TN; ++b) {
      const int i = first_row + a * BLOCK_Y, j = first_column + b * BLOCK_X;
      if (i < N && j < N) r[i * N + j] = least[a][b];
    }
}
