/*---
title = "mma and ldmatrix"
problem = "gemm_s8"
idea  = "Tensor cores: a warp multiplies 16 x 8 x 32 numbers with one mma. ldmatrix gives each lane four neighbours along k of the rows that its registers are for."
watch = "The sums are 32-bit integers, so that the result is exact in any order. One ldmatrix reads four matrices of 8 rows of 16 bytes, and a warp would need 32 dp4a for the products of one mma."
source = "PTX ISA, mma.m16n8k32 and ldmatrix"
show  = "A_tile"
[params]
BM = { default = 128, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128], meaning = "columns of C in a block" }
BK = { default = 128, values = [64, 128], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [16, 32, 64], meaning = "rows of C in a warp" }
WN = { default = 64, values = [16, 32, 64], meaning = "columns of C in a warp" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "N % 2 == 0 && K % 16 == 0", reason = "Rows begin on 16 bytes only where 16 divides K, and pairs of sums on 8 where 2 divides N" },
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
]
---*/

#include "int8.cuh"

constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int WIDTH = BK + CHUNK;
constexpr int TM = WM / 16, TN = WN / 8;  // products of a warp

// Brings rows [first, first + ROWS) of X, K numbers each, into the tile; where X has none, zeros.
template <int ROWS>
__device__ void copy_tile(s8 (*tile)[WIDTH], const s8* X, int first, int rows, int k, int K) {
#pragma unroll
  for (int i = threadIdx.x; i < ROWS * BK / CHUNK; i += THREADS) {
    const int row = i / (BK / CHUNK), column = i % (BK / CHUNK) * CHUNK;
    const bool inside = first + row < rows && k + column < K;
    const uint4 zeros = {};
    *reinterpret_cast<uint4*>(&tile[row][column]) =
        inside ? *reinterpret_cast<const uint4*>(X + (first + row) * K + k + column) : zeros;
  }
}

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const s8* A, const s8* B, int* C, int M, int N, int K) {
  __shared__ __align__(128) s8 A_tile[BM][WIDTH];
  __shared__ __align__(128) s8 B_tile[BN][WIDTH];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  // The row of its matrix to which this lane points: of A the matrices are (rows 0-7, k 0-15), (8-15, 0-15), (0-7, 16-31),
  // (8-15, 16-31), of B (columns 0-7, k 0-15), (0-7, 16-31), (8-15, 0-15), (8-15, 16-31).
  const int a_row = warp_row + lane % 16, a_k = lane / 16 * 16;
  const int b_row = warp_column + lane / 16 * 8 + lane % 8, b_k = lane / 8 % 2 * 16;

  int sum[TM][TN][4] = {};
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    copy_tile<BM>(A_tile, A, block_row, M, k, K);
    copy_tile<BN>(B_tile, B, block_column, N, k, K);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk += 32) {
      u32 a[TM][4], b[TN / 2][4];
#pragma unroll
      for (int i = 0; i < TM; ++i) load_matrices(a[i], in_shared(&A_tile[a_row + i * 16][a_k + kk]));
#pragma unroll
      for (int j = 0; j < TN / 2; ++j) load_matrices(b[j], in_shared(&B_tile[b_row + j * 16][b_k + kk]));
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {  // rows l / 4 and l / 4 + 8
        const int row = block_row + warp_row + i * 16 + half * 8 + lane / 4;
        const int column = block_column + warp_column + j * 8 + lane % 4 * 2;
        if (row < M && column < N)
          *reinterpret_cast<int2*>(C + row * N + column) = make_int2(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
      }
}
