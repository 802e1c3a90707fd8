/*---
title = "Stages"
problem = "sgemm_tf32"
idea  = "cp.async brings the next tiles straight into shared memory while the tensor cores multiply this one: STAGES of them, and one barrier a tile."
watch = "The copies pass no register, so that the numbers are rounded after they were read: by each warp that reads them, and no longer once for the block. More stages hide more of the latency of memory until shared memory is full."
source = "NVIDIA CUTLASS, multistage mainloop; PTX ISA, cp.async.wait_group"
show  = "A_tile"
[params]
BM = { default = 128, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128], meaning = "columns of C in a block" }
BK = { default = 32, values = [16, 32], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [16, 32, 64], meaning = "rows of C in a warp" }
WN = { default = 64, values = [16, 32, 64], meaning = "columns of C in a warp" }
STAGES = { default = 2, values = [2, 3, 4], meaning = "tiles in use or under way" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared  = "STAGES * (BM * (BK + 4) + BK * (BN + 8)) * 4"
require = [
  { test = "N % 4 == 0 && K % 4 == 0", reason = "Rows begin on 16 bytes only where 4 divides their length" },
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "STAGES * (BM * (BK + 4) + BK * (BN + 8)) * 4 <= 101376", reason = "The stages take more than 99 KiB of shared memory" },
]
---*/

#include "tf32.cuh"

constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int TM = WM / 16, TN = WN / 8;  // products of a warp
// Rows are longer than they need be: those of A so that eight of them lie in different banks for ldmatrix, those of B so that
// four neighbours along k of eight columns do.
constexpr int A_WIDTH = BK + 4, B_WIDTH = BN + 8;

// Starts to bring a tile of X into shared memory; where X has none, zeros. from: its element at the corner; rows, columns: those
// from there on.
template <int ROWS, int COLUMNS, int WIDTH>
__device__ void copy_tile(u32 (*tile)[WIDTH], const float* from, int rows, int columns, int row_length) {
#pragma unroll
  for (int i = threadIdx.x; i < ROWS * COLUMNS / CHUNK; i += THREADS) {
    const int row = i / (COLUMNS / CHUNK), column = i % (COLUMNS / CHUNK) * CHUNK;
    const bool inside = row < rows && column < columns;
    copy_async(in_shared(&tile[row][column]), from + row * row_length + column, inside);
  }
}

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ __align__(128) u32 shared[];
  auto A_tile = reinterpret_cast<u32(*)[BM][A_WIDTH]>(shared);  // [STAGES][BM][A_WIDTH]
  auto B_tile = reinterpret_cast<u32(*)[BK][B_WIDTH]>(shared + STAGES * BM * A_WIDTH);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  // The row of its matrix to which this lane points: of A the matrices are (rows 0-7, k 0-3), (8-15, 0-3), (0-7, 4-7),
  // (8-15, 4-7). Of B this lane has column l / 4, k l % 4 and l % 4 + 4.
  const int a_row = warp_row + lane % 16, a_k = lane / 16 * 4;
  const int b_k = lane % 4, b_column = warp_column + lane / 4;

  float sum[TM][TN][4] = {};
  auto copy_stage = [&](int stage, int k) {
    if (k < K) {
      copy_tile<BM, BK>(A_tile[stage], A + block_row * K + k, M - block_row, K - k, K);
      copy_tile<BK, BN>(B_tile[stage], B + k * N + block_column, K - k, N - block_column, N);
    }
    commit_copies();  // an empty group too: all threads count alike
  };
#pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage) copy_stage(stage, stage * BK);
  int stage = 0, free_stage = STAGES - 1;
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    wait_for_copies<STAGES - 2>();  // this thread's part of the tile has come
    __syncthreads();                // and everybody's; the stage multiplied last time is free again
    copy_stage(free_stage, k + (STAGES - 1) * BK);
#pragma unroll
    for (int kk = 0; kk < BK; kk += 8) {
      u32 a[TM][4], b[TN][2];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
        load_matrices(a[i], in_shared(&A_tile[stage][a_row + i * 16][a_k + kk]));
#pragma unroll
        for (int r = 0; r < 4; ++r) a[i][r] = as_tf32(a[i][r]);
      }
#pragma unroll
      for (int j = 0; j < TN; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) b[j][half] = as_tf32(B_tile[stage][kk + b_k + half * 4][b_column + j * 8]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) multiply(sum[i][j], a[i], b[j][0], b[j][1]);
    }
    free_stage = stage;
    stage = stage + 1 < STAGES ? stage + 1 : 0;
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
