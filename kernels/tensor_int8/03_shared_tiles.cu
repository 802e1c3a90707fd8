/*---
title = "Shared tiles"
problem = "gemm_s8"
idea  = "A block brings tiles of A and B into shared memory once. A thread has several rows and columns of C, so that 16 bytes read from there serve several sums."
watch = "Whole sectors from global memory, and a fraction of them. Rows of the tiles are 16 bytes longer than they need be, so that the rows that lanes read at once lie in different banks."
source = "NVIDIA CUTLASS, efficient GEMM; Programming Parallel Computers (Aalto University)"
show  = "B_tile"
[params]
BM = { default = 64, values = [32, 64, 128], meaning = "rows of C in a block" }
BN = { default = 64, values = [32, 64, 128], meaning = "columns of C in a block" }
BK = { default = 128, values = [32, 64, 128], meaning = "depth of the tiles of A and B" }
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "K % 16 == 0", reason = "Rows begin on 16 bytes only where 16 divides K" },
]
---*/

using s8 = signed char;

constexpr int THREADS = 256, SIDE = 16;       // a block is SIDE x SIDE threads
constexpr int TM = BM / SIDE, TN = BN / SIDE;  // sums of a thread
constexpr int CHUNK = 16;                      // numbers that one thread copies, or reads, at once
constexpr int WIDTH = BK + CHUNK;

// Brings rows [first, first + ROWS) of X, K numbers each, into the tile; where X has none, zeros.
template <int ROWS>
__device__ void copy_tile(s8 (*tile)[WIDTH], const s8* X, int first, int rows, int k, int K) {
#pragma unroll
  for (int i = threadIdx.y * SIDE + threadIdx.x; i < ROWS * BK / CHUNK; i += THREADS) {
    const int row = i / (BK / CHUNK), column = i % (BK / CHUNK) * CHUNK;
    const bool inside = first + row < rows && k + column < K;
    const int4 zeros = {};
    *reinterpret_cast<int4*>(&tile[row][column]) =
        inside ? *reinterpret_cast<const int4*>(X + (first + row) * K + k + column) : zeros;
  }
}

// 16 pairs of bytes.
__device__ int add_products(int sum, int4 a, int4 b) {
  return __dp4a(a.w, b.w, __dp4a(a.z, b.z, __dp4a(a.y, b.y, __dp4a(a.x, b.x, sum))));
}

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const s8* A, const s8* B, int* C, int M, int N, int K) {
  __shared__ __align__(16) s8 A_tile[BM][WIDTH];
  __shared__ __align__(16) s8 B_tile[BN][WIDTH];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;

  int sum[TM][TN] = {};
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    copy_tile<BM>(A_tile, A, block_row, M, k, K);
    copy_tile<BN>(B_tile, B, block_column, N, k, K);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk += CHUNK) {
      int4 a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) a[i] = *reinterpret_cast<const int4*>(&A_tile[threadIdx.y + i * SIDE][kk]);
#pragma unroll
      for (int j = 0; j < TN; ++j) b[j] = *reinterpret_cast<const int4*>(&B_tile[threadIdx.x + j * SIDE][kk]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = add_products(sum[i][j], a[i], b[j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const int row = block_row + threadIdx.y + i * SIDE, column = block_column + threadIdx.x + j * SIDE;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}
