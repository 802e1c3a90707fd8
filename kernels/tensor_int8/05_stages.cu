/*---
title = "Stages"
problem = "gemm_s8"
idea  = "cp.async brings the next tiles straight into shared memory while the tensor cores multiply this one: STAGES of them, and one barrier a tile."
watch = "Nothing waits for a load in a register, and copies and products overlap. More stages hide more of the latency of memory until shared memory is full."
source = "NVIDIA CUTLASS, multistage mainloop; PTX ISA, cp.async.wait_group"
show  = "A_tile"
[params]
BM = { default = 128, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128], meaning = "columns of C in a block" }
BK = { default = 128, values = [64, 128], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [16, 32, 64], meaning = "rows of C in a warp" }
WN = { default = 64, values = [16, 32, 64], meaning = "columns of C in a warp" }
STAGES = { default = 2, values = [2, 3, 4], meaning = "tiles in use or under way" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared  = "STAGES * (BM + BN) * (BK + 16)"
require = [
  { test = "N % 2 == 0 && K % 16 == 0", reason = "Rows begin on 16 bytes only where 16 divides K, and pairs of sums on 8 where 2 divides N" },
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "STAGES * (BM + BN) * (BK + 16) <= 101376", reason = "The stages take more than 99 KiB of shared memory" },
]
---*/

#include "int8.cuh"

constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int WIDTH = BK + CHUNK;
constexpr int TM = WM / 16, TN = WN / 8;  // products of a warp

// Starts to bring rows [first, first + ROWS) of X, K numbers each, into the tile; where X has none, zeros.
template <int ROWS>
__device__ void copy_tile(s8 (*tile)[WIDTH], const s8* X, int first, int rows, int k, int K) {
#pragma unroll
  for (int i = threadIdx.x; i < ROWS * BK / CHUNK; i += THREADS) {
    const int row = i / (BK / CHUNK), column = i % (BK / CHUNK) * CHUNK;
    const bool inside = first + row < rows && k + column < K;
    copy_async(in_shared(&tile[row][column]), X + (first + row) * K + k + column, inside);
  }
}

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const s8* A, const s8* B, int* C, int M, int N, int K) {
  extern __shared__ __align__(128) s8 shared[];
  auto A_tile = reinterpret_cast<s8(*)[BM][WIDTH]>(shared);  // [STAGES][BM][WIDTH]
  auto B_tile = reinterpret_cast<s8(*)[BN][WIDTH]>(shared + STAGES * BM * WIDTH);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  // The row of its matrix to which this lane points: of A the matrices are (rows 0-7, k 0-15), (8-15, 0-15), (0-7, 16-31),
  // (8-15, 16-31), of B (columns 0-7, k 0-15), (0-7, 16-31), (8-15, 0-15), (8-15, 16-31).
  const int a_row = warp_row + lane % 16, a_k = lane / 16 * 16;
  const int b_row = warp_column + lane / 16 * 8 + lane % 8, b_k = lane / 8 % 2 * 16;

  int sum[TM][TN][4] = {};
  auto copy_stage = [&](int stage, int k) {
    if (k < K) {
      copy_tile<BM>(A_tile[stage], A, block_row, M, k, K);
      copy_tile<BN>(B_tile[stage], B, block_column, N, k, K);
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
    for (int kk = 0; kk < BK; kk += 32) {
      u32 a[TM][4], b[TN / 2][4];
#pragma unroll
      for (int i = 0; i < TM; ++i) load_matrices(a[i], in_shared(&A_tile[stage][a_row + i * 16][a_k + kk]));
#pragma unroll
      for (int j = 0; j < TN / 2; ++j) load_matrices(b[j], in_shared(&B_tile[stage][b_row + j * 16][b_k + kk]));
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
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
          *reinterpret_cast<int2*>(C + row * N + column) = make_int2(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
      }
}
