/*---
title   = "B turned in shared memory"
problem = "sgemm"
idea    = "The tile of B is stored turned, so that a thread goes along a row of Bs as it does in As: its addresses differ by constants, and the lecture's compiler needs no addition for them."
watch   = "Neighbouring lanes are a whole row of Bs apart: with rows of 32 words all that are served together meet in the same banks, when they store and when they read. On a GTX 280 that is a 16-way conflict."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
show    = "Bs"
[params]
TILE = { default = 32, values = [8, 16, 32, 64], meaning = "m: edge of the square tiles of A, B and C" }
ROWS = { default = 16, values = [2, 4, 8, 16, 32], meaning = "n: rows of threads in a block; a thread computes TILE / ROWS elements of C" }
[launch]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
require = [
  { test = "TILE * ROWS <= 1024", reason = "A block has at most 1024 threads" },
  { test = "TILE * ROWS >= 32", reason = "A block smaller than one warp leaves lanes without work" },
  { test = "ROWS <= TILE", reason = "More rows of threads than rows in the tile" },
  { test = "TILE <= 16 * ROWS", reason = "More than 16 sums a thread take too many registers" },
]
---*/

constexpr int RESULTS = TILE / ROWS;  // of a thread, ROWS rows apart

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;  // of this thread's first element of C

  float sum[RESULTS] = {};
  for (int k0 = 0; k0 < K; k0 += TILE) {
#pragma unroll
    for (int r = 0; r < TILE; r += ROWS) {  // outside the matrices a zero, which adds nothing to the sums
      const int k = k0 + ty + r;
      As[ty + r][tx] = row + r < M && k0 + tx < K ? A[(row + r) * K + k0 + tx] : 0.0f;
      Bs[tx][ty + r] = k < K && column < N ? B[k * N + column] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      const float b = Bs[tx][k];  // changed: turned, stored and read
#pragma unroll
      for (int r = 0; r < RESULTS; ++r) sum[r] += As[ty + r * ROWS][k] * b;
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < RESULTS; ++r)
    if (row + r * ROWS < M && column < N) C[(row + r * ROWS) * N + column] = sum[r];
}
