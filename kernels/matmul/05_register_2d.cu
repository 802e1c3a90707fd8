/*---
title   = "A register tile per thread"
problem = "sgemm"
idea    = "Each thread computes TM x TN elements of C as a sum of outer products: TM + TN shared loads feed TM * TN multiply-adds."
watch   = "Multiply-adds for each shared load grow to TM * TN / (TM + TN); registers grow too, and occupancy falls."
source  = "V. Volkov, Better Performance at Lower Occupancy (2010); S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, kernel 5"
[params]
BM = { default = 128, values = [32, 64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [32, 64, 128], meaning = "columns of C in a block" }
BK = { default = 8, values = [4, 8, 16, 32], meaning = "depth of the tiles of A and B" }
TM = { default = 8, values = [1, 2, 4, 8], meaning = "rows of C in a thread" }
TN = { default = 8, values = [1, 2, 4, 8], meaning = "columns of C in a thread" }
[launch]
block   = ["BM / TM * (BN / TN)"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "BM * BN <= 512 * TM * TN", reason = "This step keeps blocks at 512 threads, so that each thread can have 128 registers" },
  { test = "BM * BN >= 32 * TM * TN", reason = "A block needs at least one full warp" },
  { test = "BN <= TM * TN * BK", reason = "More threads than elements in the tile of A: some would have nothing to load" },
  { test = "BM <= TM * TN * BK", reason = "More threads than elements in the tile of B: some would have nothing to load" },
  { test = "BM >= TM * TN", reason = "Fewer threads than columns in the tile of B: they could not bring a whole row at once" },
]
---*/

constexpr int THREADS = BM / TM * (BN / TN);
constexpr int A_ROWS = THREADS / BK;  // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / BN;

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float A_tile[BM][BK];
  __shared__ float B_tile[BK][BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int thread_row = threadIdx.x / (BN / TN) * TM;  // of this thread's corner, in the block's tile of C
  const int thread_column = threadIdx.x % (BN / TN) * TN;
  const int a_row = threadIdx.x / BK, a_column = threadIdx.x % BK;  // what this thread brings
  const int b_row = threadIdx.x / BN, b_column = threadIdx.x % BN;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int r = a_row; r < a_row + BM; r += A_ROWS) {
      const int row = block_row + r, k = k0 + a_column;
      A_tile[r][a_column] = row < M && k < K ? A[row * K + k] : 0.0f;
    }
#pragma unroll
    for (int r = b_row; r < b_row + BK; r += B_ROWS) {
      const int k = k0 + r, column = block_column + b_column;
      B_tile[r][b_column] = k < K && column < N ? B[k * N + column] : 0.0f;
    }
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];  // changed: one column of A and one row of B, then all their products
#pragma unroll
      for (int i = 0; i < TM; ++i) a[i] = A_tile[thread_row + i][k];
#pragma unroll
      for (int j = 0; j < TN; ++j) b[j] = B_tile[k][thread_column + j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const int row = block_row + thread_row + i, column = block_column + thread_column + j;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}
