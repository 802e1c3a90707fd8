/*---
title   = "V3: tiles in shared memory"
problem = "minplus"
idea    = "The block brings DEPTH rows of its part of t and of d into shared memory once; all its threads read them from there."
watch   = "Global loads fall by the threads that used to read the same element: BLOCK_X times those of t, BLOCK_Y times those of d. Shared loads take their place."
source  = "Programming Parallel Computers (ppc.cs.aalto.fi), chapter 4, V3"
[params]
BLOCK_X = { default = 8, values = [4, 8, 16, 32], meaning = "threads of a block along a row of r" }
BLOCK_Y = { default = 8, values = [4, 8, 16, 32], meaning = "threads of a block along a column of r" }
TM = { default = 8, values = [1, 2, 4, 8], meaning = "rows of r in a thread" }
TN = { default = 8, values = [1, 2, 4, 8], meaning = "columns of r in a thread" }
DEPTH = { default = 4, values = [1, 2, 4, 8, 16], meaning = "values of k that the block brings at once" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X * TN)", "ceil_div(N, BLOCK_Y * TM)"]
require = [
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
  { test = "BLOCK_X * BLOCK_Y <= 512", reason = "This step keeps blocks at 512 threads, so that each thread can have 128 registers" },
  { test = "TM * DEPTH >= BLOCK_X", reason = "More threads than elements in the tile of t: some would have nothing to load" },
  { test = "TN * DEPTH >= BLOCK_Y", reason = "More threads than elements in the tile of d: some would have nothing to load" },
]
---*/

constexpr int THREADS = BLOCK_X * BLOCK_Y;
constexpr int BM = BLOCK_Y * TM;  // rows and columns of r in a block
constexpr int BN = BLOCK_X * TN;

// r[i][j] = least d[i][k] + d[k][j] over k, all N x N and row-major. t is d transposed: t[k][i] = d[i][k].
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float t_tile[DEPTH][BM];
  __shared__ float d_tile[DEPTH][BN];
  const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * BLOCK_X + tx;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;

  float least[TM][TN];
#pragma unroll
  for (int a = 0; a < TM; ++a)
#pragma unroll
    for (int b = 0; b < TN; ++b) least[a][b] = __int_as_float(0x7f800000);  // infinity

  for (int k0 = 0; k0 < N; k0 += DEPTH) {
    // Outside the matrices infinity is never the least.
#pragma unroll
    for (int e = thread; e < DEPTH * BM; e += THREADS) {
      const int k = k0 + e / BM, i = block_row + e % BM;
      t_tile[e / BM][e % BM] = k < N && i < N ? t[k * N + i] : __int_as_float(0x7f800000);
    }
#pragma unroll
    for (int e = thread; e < DEPTH * BN; e += THREADS) {
      const int k = k0 + e / BN, j = block_column + e % BN;
      d_tile[e / BN][e % BN] = k < N && j < N ? d[k * N + j] : __int_as_float(0x7f800000);
    }
    __syncthreads();  // the tiles are complete

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float x[TM], y[TN];
#pragma unroll
      for (int a = 0; a < TM; ++a) x[a] = t_tile[k][ty + a * BLOCK_Y];
#pragma unroll
      for (int b = 0; b < TN; ++b) y[b] = d_tile[k][tx + b * BLOCK_X];
#pragma unroll
      for (int a = 0; a < TM; ++a)
#pragma unroll
        for (int b = 0; b < TN; ++b) least[a][b] = fminf(least[a][b], x[a] + y[b]);
    }
    __syncthreads();  // nobody reads the tiles any more
  }

#pragma unroll
  for (int a = 0; a < TM; ++a)
#pragma unroll
    for (int b = 0; b < TN; ++b) {
      const int i = block_row + ty + a * BLOCK_Y, j = block_column + tx + b * BLOCK_X;
      if (i < N && j < N) r[i * N + j] = least[a][b];
    }
}
