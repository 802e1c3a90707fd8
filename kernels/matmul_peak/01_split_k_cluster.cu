/*---
title   = "K split over a cluster"
problem = "sgemm"
arch    = "90"
idea    = "A small product has fewer tiles than the device has multiprocessors. So the SPLIT blocks of a cluster share a tile of C, and each multiplies its part of K; their sums meet in shared memory, which the blocks of a cluster can write for each other."
watch   = "In a block, GROUPS of warps share the depth of a tile in the same way, so that a multiprocessor has enough warps. Larger products have tiles enough: there SPLIT and GROUPS only cost the meeting of the sums."
source  = "PTX ISA, mapa and barrier.cluster; NVIDIA CUTLASS, sliced-K and split-K"
[params]
BM = { default = 64, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 64, values = [32, 64, 128], meaning = "columns of C in a block" }
BK = { default = 64, values = [16, 32, 64], meaning = "depth of the tiles of A and B" }
SPLIT = { default = 2, values = [1, 2, 4, 8], meaning = "blocks of a cluster, each with a part of K" }
GROUPS = { default = 4, values = [1, 2, 4], meaning = "groups of warps in a block, each with a part of a tile's depth" }
STAGES = { default = 3, values = [2, 3, 4, 6], meaning = "tiles in use or under way" }
[launch]
block   = ["BM / 64 * (BN / 32) * 32 * GROUPS"]
grid    = ["SPLIT", "ceil_div(N, BN)", "ceil_div(M, BM)"]
shared  = "max(STAGES * BK * (BM + BN), max(1, GROUPS / 2) * BM * (BN + 16)) * 4"
require = [
  { test = "BM * BN * GROUPS <= 32768", reason = "More than 512 threads, and their sums do not fit in the registers" },
  { test = "max(BM, BN) * GROUPS <= 16 * BK", reason = "More threads than float4 in a tile: some would have nothing to copy" },
  { test = "STAGES * BK * (BM + BN) * 4 <= 230000", reason = "The stages take more than the 227 KiB of shared memory that a block can have" },
]
---*/

#include "peak.cuh"

constexpr int LANE_ROWS = 8, LANE_COLUMNS = 4;  // how the 32 lanes of a warp are laid out
constexpr int TM = 8, TN = 8;                   // sums of a thread
constexpr int WM = LANE_ROWS * TM, WN = LANE_COLUMNS * TN;
constexpr int GROUP_THREADS = BM / WM * (BN / WN) * 32, THREADS = GROUP_THREADS * GROUPS;
constexpr int A_CHUNKS = BK / 4, B_CHUNKS = BN / 4;  // float4 in a row of a tile
constexpr int A_ROWS = THREADS / A_CHUNKS;           // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / B_CHUNKS;
constexpr int C_WIDTH = BN + 16;  // two rows of sums that lanes write together lie in different banks

// A lies in shared memory row by row, as it comes: a thread reads four steps of K of a row at once. Where a float4 lies in its row
// depends on the row, so that those of eight rows lie in different banks.
__device__ int swizzled(int row, int chunk) {
  constexpr int ROWS_OF_BANKS = BK < 32 ? 32 / BK : 1;  // rows that all banks together hold
  return chunk ^ (row / ROWS_OF_BANKS % min(A_CHUNKS, 8));
}

// C[M][N] = A[M][K] * B[K][N], all row-major. One block a multiprocessor will do: ptxas may give its threads many registers.
extern "C" __global__ __cluster_dims__(SPLIT, 1, 1) void __launch_bounds__(THREADS, 1)
kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ __align__(16) float shared[];
  auto A_tile = reinterpret_cast<float(*)[BM][BK]>(shared);  // [STAGES][BM][BK]
  auto B_tile = reinterpret_cast<float(*)[BK][BN]>(shared + STAGES * BM * BK);
  const int block_row = blockIdx.z * BM, block_column = blockIdx.y * BN;

  // The part of K of this block. The blocks of a cluster lie side by side along x.
  const int rank = blockIdx.x;
  const int part = ((K + BK - 1) / BK + SPLIT - 1) / SPLIT * BK;
  const int end = min(K, (rank + 1) * part);
  int copy_k = rank * part;  // where the next tile to copy begins
  const int tiles = (end - copy_k + BK - 1) / BK;

  const int a_row = threadIdx.x / A_CHUNKS, a_chunk = threadIdx.x % A_CHUNKS;
  const int b_row = threadIdx.x / B_CHUNKS, b_column = threadIdx.x % B_CHUNKS * 4;
  const float* a_from = A + (block_row + a_row) * K + copy_k + a_chunk * 4;
  const float* b_from = B + (copy_k + b_row) * N + block_column + b_column;
  const int b_columns = N - block_column - b_column;  // as many of these four exist, or all

  auto copy_tile = [&](int stage) {  // global memory -> shared memory; nobody waits yet
    const int a_depth = K - copy_k - a_chunk * 4;
#pragma unroll
    for (int r = 0; r < BM; r += A_ROWS) {
      float* to = &A_tile[stage][a_row + r][swizzled(a_row + r, a_chunk) * 4];
      const bool inside = block_row + a_row + r < M;
      if (K % 4 == 0) {  // rows of A start on 16 bytes
        copy_async<16>(to, a_from + r * K, inside && a_depth > 0);
      } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) copy_async<4>(to + i, a_from + r * K + i, inside && a_depth > i);
      }
    }
#pragma unroll
    for (int r = 0; r < BK; r += B_ROWS) {
      float* to = &B_tile[stage][b_row + r][b_column];
      const bool inside = copy_k + b_row + r < K;
      if (N % 4 == 0) {
        copy_async<16>(to, b_from + r * N, inside && b_columns > 0);
      } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) copy_async<4>(to + i, b_from + r * N + i, inside && b_columns > i);
      }
    }
    a_from += BK;
    b_from += BK * N;
    copy_k += BK;
  };

  // All groups have the same tile of C, and of the depth of the tiles of A and B each has other float4.
  const int group = threadIdx.x / GROUP_THREADS;
  const int warp = threadIdx.x % GROUP_THREADS / 32, lane = threadIdx.x % 32;
  const int thread_row = warp / (BN / WN) * WM + lane / 16 * 4 + lane / 8 % 2 * 2 + lane % 2;
  const int thread_column = warp % (BN / WN) * WN + lane / 2 % 4 * 4;

  __align__(16) float sum[TM][TN] = {};
  auto multiply = [&](int stage) {
#pragma unroll
    for (int q = 0; q < A_CHUNKS / GROUPS; ++q) {
      const int chunk = q * GROUPS + group;
      __align__(16) float a[TM][4];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        copy4(a[i], &A_tile[stage][thread_row + i * LANE_ROWS][swizzled(thread_row, chunk) * 4]);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        __align__(16) float b[TN];
#pragma unroll
        for (int j = 0; j < TN; j += 4) copy4(&b[j], &B_tile[stage][chunk * 4 + k][thread_column + j * LANE_COLUMNS]);
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int j = 0; j < TN; ++j) sum[i][j] += a[i][k] * b[j];
      }
    }
  };

#pragma unroll 1
  for (int stage = 0; stage < STAGES - 1; ++stage) {  // fill the pipeline
    if (stage < tiles) copy_tile(stage);
    commit_group();
  }
  int stage = 0, free_stage = STAGES - 1;
#pragma unroll 1
  for (int left = tiles; left > 0; --left) {
    wait_group<STAGES - 2>();  // this thread's part of the tile has come
    __syncthreads();           // and everybody's; the stage multiplied last time is free again
    if (left >= STAGES) copy_tile(free_stage);
    commit_group();
    multiply(stage);
    free_stage = stage;
    stage = stage + 1 < STAGES ? stage + 1 : 0;
  }
  __syncthreads();  // nobody reads the tiles any more: their memory is where the sums meet

  // The sums of the groups are added in pairs: the upper half hands its sums to the lower half, until one group has them all.
  auto place = [&](int area, int i, int j) {
    return shared + (area * BM + thread_row + i * LANE_ROWS) * C_WIDTH + thread_column + j * LANE_COLUMNS;
  };
#pragma unroll
  for (int half = GROUPS / 2; half > 0; half /= 2) {
    if (group >= half && group < 2 * half)
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; j += 4) copy4(place(group - half, i, j), &sum[i][j]);
    __syncthreads();
    if (group < half)
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
          __align__(16) float v[4];
          copy4(v, place(group, i, j));
#pragma unroll
          for (int l = 0; l < 4; ++l) sum[i][j + l] += v[l];
        }
    if (half > 1) __syncthreads();
  }

  // Each block of the cluster adds up BM / SPLIT rows of the tile. What it has of another block's rows it writes into that block's
  // memory: stores to another block wait for nothing, while loads from it would take a way there and back.
  constexpr int SHARE = BM / SPLIT;
  auto parts = reinterpret_cast<float(*)[SHARE][C_WIDTH]>(shared);  // [SPLIT][SHARE][C_WIDTH]
  meet_cluster();  // all blocks run, and need what is in their memory no longer
  if (group == 0)
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      const int row = thread_row + i * LANE_ROWS;
      float* there = in_block(&parts[rank][row % SHARE][thread_column], row / SHARE);
#pragma unroll
      for (int j = 0; j < TN; j += 4) copy4(there + j * LANE_COLUMNS, &sum[i][j]);
    }
  meet_cluster();  // all sums have come
#pragma unroll
  for (int at = threadIdx.x; at < SHARE * B_CHUNKS; at += THREADS) {
    const int row = at / B_CHUNKS, column = at % B_CHUNKS * 4;
    __align__(16) float total[4] = {};
#pragma unroll
    for (int from = 0; from < SPLIT; ++from) {  // in the order of the blocks: the result is the same each time
      __align__(16) float v[4];
      copy4(v, &parts[from][row][column]);
#pragma unroll
      for (int l = 0; l < 4; ++l) total[l] += v[l];
    }
    store4(C, total, block_row + rank * SHARE + row, block_column + column, M, N);
  }
}
