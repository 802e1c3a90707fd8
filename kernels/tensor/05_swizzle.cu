/*---
title = "XOR swizzle"
problem = "gemm_bf16"
idea  = "Chunks of 16 bytes change places within their row by the number of the row: no bank is asked twice, and no byte is wasted."
watch = "The same map as with padding, permuted. Rows stay 128 bytes long, which copies and, later, the hardware itself ask for."
source = "PTX ISA, swizzling modes; NVIDIA CUTLASS, permuted shared memory layouts"
show  = "A_tile"
[params]
BM = { default = 64, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 64, values = [64, 128], meaning = "columns of C in a block" }
BK = { default = 64, values = [32, 64], meaning = "depth of the tiles of A and B" }
WM = { default = 32, values = [16, 32, 64], meaning = "rows of C in a warp" }
WN = { default = 32, values = [16, 32, 64], meaning = "columns of C in a warp" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "M % 8 == 0 && N % 8 == 0 && K % 8 == 0", reason = "Rows begin on 16 bytes only where 8 divides the sizes" },
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "BM * BK % (BM / WM * (BN / WN) * 32 * 8) == 0 && BN * BK % (BM / WM * (BN / WN) * 32 * 8) == 0", reason = "The threads of a block have no equal share of the 16-byte pieces of a tile" },
  { test = "(BM + BN) * BK * 2 <= 49152", reason = "The tiles take more than 48 KiB of shared memory" },
]
---*/

#include "tensor.cuh"

constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int TM = WM / 16, TN = WN / 8;  // products of a warp

// Where chunk `column / 8` of a row lies: chunks change places by the number of their row, so that eight rows of one column
// lie in different banks. Rows of 64 bytes come in pairs.
__device__ int swizzled(int row, int column) { return column ^ (BK == 64 ? row % 8 : row / 2 % 4) * CHUNK; }

// Brings rows [first, first + ROWS) of X, K numbers each, into the tile; where X has none, zeros.
template <int ROWS>
__device__ void copy_tile(bf16 (*tile)[BK], const bf16* X, int first, int rows, int k, int K) {
#pragma unroll
  for (int i = threadIdx.x; i < ROWS * BK / CHUNK; i += THREADS) {
    const int row = i / (BK / CHUNK), column = i % (BK / CHUNK) * CHUNK;
    const bool inside = first + row < rows && k + column < K;
    const uint4 zeros = {};
    *reinterpret_cast<uint4*>(&tile[row][swizzled(row, column)]) =
        inside ? *reinterpret_cast<const uint4*>(X + (first + row) * K + k + column) : zeros;
  }
}

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const bf16* A, const bf16* B, bf16* C, int M, int N, int K) {
  __shared__ __align__(128) bf16 A_tile[BM][BK];
  __shared__ __align__(128) bf16 B_tile[BN][BK];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  // The row of its matrix to which this lane points: of A the matrices are (rows 0-7, k 0-7), (8-15, 0-7), (0-7, 8-15),
  // (8-15, 8-15), of B (columns 0-7, k 0-7), (0-7, 8-15), (8-15, 0-7), (8-15, 8-15).
  const int a_row = warp_row + lane % 16, a_k = lane / 16 * 8;
  const int b_row = warp_column + lane / 16 * 8 + lane % 8, b_k = lane / 8 % 2 * 8;

  float sum[TM][TN][4] = {};
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    copy_tile<BM>(A_tile, A, block_row, M, k, K);
    copy_tile<BN>(B_tile, B, block_column, N, k, K);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) {
      u32 a[TM][4], b[TN / 2][4];
#pragma unroll
      for (int i = 0; i < TM; ++i) load_matrices(a[i], in_shared(&A_tile[a_row + i * 16][swizzled(a_row, a_k + kk)]));
#pragma unroll
      for (int j = 0; j < TN / 2; ++j) load_matrices(b[j], in_shared(&B_tile[b_row + j * 16][swizzled(b_row, b_k + kk)]));
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
          *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
      }
}
