/*---
title   = "A column of results per thread"
problem = "sgemm"
idea    = "Each thread computes TM elements of one column of C, so an element of B read from shared memory serves TM multiply-adds."
watch   = "Shared loads fall from 2 to 1 + 1/TM for each multiply-add; fewer threads do the same work."
source  = "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, kernel 4"
[params]
BM = { default = 64, values = [16, 32, 64, 128], meaning = "rows of C in a block" }
BN = { default = 64, values = [16, 32, 64, 128], meaning = "columns of C in a block" }
BK = { default = 8, values = [4, 8, 16, 32], meaning = "depth of the tiles of A and B" }
TM = { default = 8, values = [2, 4, 8, 16], meaning = "rows of C in a thread" }
[launch]
block   = ["BM / TM * BN"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "BM / TM * BN <= 512", reason = "This step keeps blocks at 512 threads, so that each thread can have 128 registers" },
  { test = "BM / TM * BN >= 32", reason = "A block needs at least one full warp" },
  { test = "BN <= TM * BK", reason = "More threads than elements in the tile of A: some would have nothing to load" },
  { test = "BM <= TM * BK", reason = "More threads than elements in the tile of B: some would have nothing to load" },
]
---*/

constexpr int THREADS = BM / TM * BN;
constexpr int A_ROWS = THREADS / BK;  // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / BN;

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float A_tile[BM][BK];
  __shared__ float B_tile[BK][BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int thread_row = threadIdx.x / BN * TM, thread_column = threadIdx.x % BN;  // in the block's tile of C
  const int a_row = threadIdx.x / BK, a_column = threadIdx.x % BK;                 // what this thread brings
  const int b_row = threadIdx.x / BN, b_column = threadIdx.x % BN;

  float sum[TM] = {};  // stays in registers: every index below is known when compiling
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
      const float b = B_tile[k][thread_column];  // read once, used TM times
#pragma unroll
      for (int i = 0; i < TM; ++i) sum[i] += A_tile[thread_row + i][k] * b;
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int row = block_row + thread_row + i, column = block_column + thread_column;
    if (row < M && column < N) C[row * N + column] = sum[i];
  }
}
