/*---
title   = "Warps that only copy"
problem = "sgemm"
arch    = "90a"
idea    = "Four warps do nothing but copy, and eight do nothing but multiply: between them a ring of stages, each with a barrier that says full and one that says empty. The warps that copy give up registers, so that the others have room for 128 sums a thread."
watch   = "In the loop of the warps that multiply, nearly each instruction is a multiply-add: addresses and bounds of copies are the other warps' affair. Blocks stay, and take one tile of C after another: the next one is copied while the last is stored."
source  = "NVIDIA CUTLASS, warp-specialized persistent kernels; PTX ISA, mbarrier and setmaxnreg"
[params]
BM = { default = 128, values = [128], meaning = "rows of C in a block" }
BN = { default = 256, values = [256], meaning = "columns of C in a block" }
BK = { default = 16, values = [8, 16, 32], meaning = "depth of the tiles of A and B" }
STAGES = { default = 8, values = [2, 3, 4, 6, 8], meaning = "tiles in use or under way" }
BLOCKS = { default = 132, values = [66, 132], meaning = "blocks at most, each with one tile after another" }
GROUP = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rows of tiles that are done together; 1: row by row" }
[launch]
block   = ["BM / 64 * (BN / 64) * 32 + 128"]
grid    = ["min(BLOCKS, ceil_div(N, BN) * ceil_div(M, BM))"]
shared  = "STAGES * (BM + 4 + BN) * BK * 4"
require = [
  { test = "STAGES * (BM + 4 + BN) * BK * 4 <= 230000", reason = "The stages take more than the 227 KiB of shared memory that a block can have" },
]
---*/

#include "peak.cuh"

constexpr int WM = 64, WN = 64;                 // tile of C of a warp that multiplies
constexpr int LANE_ROWS = 4, LANE_COLUMNS = 8;  // how its 32 lanes are laid out
constexpr int TM = WM / LANE_ROWS, TN = WN / LANE_COLUMNS;
constexpr int WARPS = BM / WM * (BN / WN);  // that multiply
constexpr int COPIERS = 128;                // threads that copy
constexpr int A_ROWS = COPIERS / BK;        // rows of a tile that all of them together bring at once
constexpr int B_ROWS = COPIERS / (BN / 4);
constexpr int A_WIDTH = BM + 4;

// Which tile of C comes as the n-th: GROUP rows of tiles together, column by column, so that those under way at one time need few
// rows of A and few columns of B, which L2 then holds.
__device__ void place_of(int n, int rows, int columns, int& row, int& column) {
  const int first = n / (GROUP * columns) * GROUP, height = min(GROUP, rows - first);
  row = first + n % (GROUP * columns) % height;
  column = n % (GROUP * columns) / height;
}

// C[M][N] = A[M][K] * B[K][N], all row-major. That one block a multiprocessor will do is said so that ptxas knows with how many
// registers a thread begins: it ignores setmaxnreg otherwise.
extern "C" __global__ void __launch_bounds__(WARPS * 32 + COPIERS, 1)
kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ __align__(16) float shared[];
  auto A_tile = reinterpret_cast<float(*)[BK][A_WIDTH]>(shared);  // [STAGES][BK][A_WIDTH]
  auto B_tile = reinterpret_cast<float(*)[BK][BN]>(shared + STAGES * BK * A_WIDTH);
  __shared__ __align__(8) u64 full[STAGES], empty[STAGES];
  const int rows = (M + BM - 1) / BM, columns = (N + BN - 1) / BN;  // of tiles
  if (threadIdx.x == 0)
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&full[stage], COPIERS);  // each with its own copies
      init_barrier(&empty[stage], WARPS);   // a lane of each warp
    }
  __syncthreads();
  int stage = 0, phase = 0;

  if (threadIdx.x >= WARPS * 32) {
    give_registers<40>();
    const int copier = threadIdx.x - WARPS * 32;
    const int a_row = copier / BK, a_column = copier % BK;  // A is turned on its way, element by element
    const int b_row = copier / (BN / 4), b_column = copier % (BN / 4) * 4;
#pragma unroll 1
    for (int tile = blockIdx.x; tile < rows * columns; tile += gridDim.x) {
      int row, column;
      place_of(tile, rows, columns, row, column);
      const int height = M - row * BM - a_row;       // rows of A from this thread's first one on
      const int width = N - column * BN - b_column;  // as many of its four columns of B exist, or all
      const float* a_from = A + (row * BM + a_row) * K + a_column;
      const float* b_from = B + b_row * N + column * BN + b_column;
#pragma unroll 1
      for (int k = 0; k < K; k += BK) {
        wait_parity(&empty[stage], phase ^ 1);  // in the first round all are
#pragma unroll
        for (int r = 0; r < BM; r += A_ROWS)
          copy_async<4>(&A_tile[stage][a_column][a_row + r], a_from + r * K, r < height && k + a_column < K);
        if (N % 4 == 0) {  // rows of B start on 16 bytes
#pragma unroll
          for (int r = 0; r < BK; r += B_ROWS)
            copy_async<16>(&B_tile[stage][b_row + r][b_column], b_from + r * N, width > 0 && k + b_row + r < K);
        } else {
#pragma unroll 1
          for (int r = 0; r < BK; r += B_ROWS)
#pragma unroll
            for (int i = 0; i < 4; ++i)
              copy_async<4>(&B_tile[stage][b_row + r][b_column + i], b_from + r * N + i, width > i && k + b_row + r < K);
        }
        arrive_after_copies(&full[stage]);
        a_from += BK;
        b_from += BK * N;
        stage = stage + 1 < STAGES ? stage + 1 : 0;
        if (stage == 0) phase ^= 1;
      }
    }
    wait_group<0>();
    return;
  }

  take_registers<232>();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int thread_row = warp / (BN / WN) * WM + (lane / 16 * 2 + lane % 2) * 4;
  const int thread_column = warp % (BN / WN) * WN + lane / 2 % 8 * 4;
  const float *a_at = &A_tile[0][0][thread_row], *b_at = &B_tile[0][0][thread_column];
  wait_parity(&full[0], 0);
#pragma unroll 1
  for (int tile = blockIdx.x; tile < rows * columns; tile += gridDim.x) {
    const bool last_tile = tile + gridDim.x >= rows * columns;
    __align__(16) float sum[TM][TN] = {};
#pragma unroll 1
    for (int k = 0; k < K; k += BK) {
      const int next = stage + 1 < STAGES ? stage + 1 : 0;
      if (next == 0) phase ^= 1;
#pragma unroll
      for (int kk = 0; kk < BK; ++kk) {
        __align__(16) float a[TM], b[TN];
#pragma unroll
        for (int i = 0; i < TM; i += 4) copy4(&a[i], a_at + kk * A_WIDTH + i * LANE_ROWS);
#pragma unroll
        for (int j = 0; j < TN; j += 4) copy4(&b[j], b_at + kk * BN + j * LANE_COLUMNS);
        if (kk == BK - 1) {  // what this warp needs of the stage is in its registers
          __syncwarp();
          if (lane == 0) arrive(&empty[stage]);
          if (!last_tile || k + BK < K) wait_parity(&full[next], phase);  // the next one comes during the last products
        }
        // Down one column and up the next: each multiply-add has a factor of the one before, which need not be read again from
        // the registers, whose banks give two operands a cycle.
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
          for (int i_ = 0; i_ < TM; ++i_) {
            const int i = j % 2 ? TM - 1 - i_ : i_;
            sum[i][j] += a[i] * b[j];
          }
      }
      stage = next;
      a_at = &A_tile[stage][0][thread_row];
      b_at = &B_tile[stage][0][thread_column];
    }
    int row, column;
    place_of(tile, rows, columns, row, column);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        store4(C, &sum[i][j], row * BM + thread_row + i / 4 * 4 * LANE_ROWS + i % 4,
               column * BN + thread_column + j * LANE_COLUMNS, M, N);
  }
}
