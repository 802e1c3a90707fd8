/*---
title = "mma of TF32"
problem = "sgemm_tf32"
idea  = "The product of the ladder matmul on the tensor cores: factors are rounded to TF32 on their way into shared memory, and a warp multiplies 16 x 8 x 8 of them with one mma. Sums stay fp32."
watch = "A number keeps 10 of its 23 bits of fraction: each factor is off by up to 1 in 2048, a product by up to 1 in 1024. ldmatrix reads A; of B, which lies row by row, a lane loads its numbers one by one."
source = "PTX ISA, mma.m16n8k8, ldmatrix and cvt; NVIDIA A100 whitepaper, TF32"
show  = "A_tile"
[params]
BM = { default = 128, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128], meaning = "columns of C in a block" }
BK = { default = 32, values = [16, 32], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [16, 32, 64], meaning = "rows of C in a warp" }
WN = { default = 64, values = [16, 32, 64], meaning = "columns of C in a warp" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "N % 4 == 0 && K % 4 == 0", reason = "Rows begin on 16 bytes only where 4 divides their length" },
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
]
---*/

#include "tf32.cuh"

constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int TM = WM / 16, TN = WN / 8;  // products of a warp
// Rows are longer than they need be: those of A so that eight of them lie in different banks for ldmatrix, those of B so that
// four neighbours along k of eight columns do.
constexpr int A_WIDTH = BK + 4, B_WIDTH = BN + 8;

// Brings a tile of X into shared memory, rounded; where X has none, zeros. from: its element at the corner; rows, columns: those
// from there on.
template <int ROWS, int COLUMNS, int WIDTH>
__device__ void copy_tile(u32 (*tile)[WIDTH], const float* from, int rows, int columns, int row_length) {
#pragma unroll
  for (int i = threadIdx.x; i < ROWS * COLUMNS / CHUNK; i += THREADS) {
    const int row = i / (COLUMNS / CHUNK), column = i % (COLUMNS / CHUNK) * CHUNK;
    const bool inside = row < rows && column < columns;
    const uint4 zeros = {};
    const uint4 v = inside ? *reinterpret_cast<const uint4*>(from + row * row_length + column) : zeros;
    *reinterpret_cast<uint4*>(&tile[row][column]) = make_uint4(as_tf32(v.x), as_tf32(v.y), as_tf32(v.z), as_tf32(v.w));
  }
}

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ __align__(128) u32 A_tile[BM][A_WIDTH];
  __shared__ __align__(128) u32 B_tile[BK][B_WIDTH];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  // The row of its matrix to which this lane points: of A the matrices are (rows 0-7, k 0-3), (8-15, 0-3), (0-7, 4-7),
  // (8-15, 4-7). Of B this lane has column l / 4, k l % 4 and l % 4 + 4.
  const int a_row = warp_row + lane % 16, a_k = lane / 16 * 4;
  const int b_k = lane % 4, b_column = warp_column + lane / 4;

  float sum[TM][TN][4] = {};
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    copy_tile<BM, BK>(A_tile, A + block_row * K + k, M - block_row, K - k, K);
    copy_tile<BK, BN>(B_tile, B + k * N + block_column, K - k, N - block_column, N);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk += 8) {
      u32 a[TM][4], b[TN][2];
#pragma unroll
      for (int i = 0; i < TM; ++i) load_matrices(a[i], in_shared(&A_tile[a_row + i * 16][a_k + kk]));
#pragma unroll
      for (int j = 0; j < TN; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) b[j][half] = B_tile[kk + b_k + half * 4][b_column + j * 8];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) multiply(sum[i][j], a[i], b[j][0], b[j][1]);
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
          *reinterpret_cast<float2*>(C + row * N + column) = make_float2(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
      }
}
