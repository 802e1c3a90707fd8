/*---
title = "Persistent blocks"
problem = "gemm_bf16"
arch  = "90a"
maps  = [{ name = "A_map", of = "A", box = ["BK", "BM"], swizzle = "128B" },
         { name = "B_map", of = "B", box = ["BK", "BN"], swizzle = "128B" }]
idea  = "As many blocks as multiprocessors, each with one tile after another: the producer already copies for the next one while the sums of the last are stored."
watch = "There are no waves any more, and the prologue of a tile hides behind the epilogue of the one before."
source = "P. Shah, fast.cu; PTX ISA, CUTLASS, persistent kernels"
[params]
BM = { default = 128, values = [128], meaning = "rows of C in a block: 64 for each consumer" }
BN = { default = 256, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 64, values = [64], meaning = "depth of the tiles: 64 numbers are the 128 bytes of the swizzle" }
STAGES = { default = 3, values = [2, 3, 4], meaning = "tiles in use or under way" }
BLOCKS = { default = 132, values = [66, 132], meaning = "blocks at most, each with one tile after another" }
[launch]
block   = ["128 * (1 + BM / 64)"]
grid    = ["min(BLOCKS, ceil_div(N, BN) * ceil_div(M, BM))"]
shared  = "1024 + STAGES * (BM + BN) * BK * 2"
require = [
  { test = "M % 8 == 0 && N % 8 == 0 && K % 8 == 0", reason = "Rows begin on 16 bytes only where 8 divides the sizes" },
  { test = "1024 + STAGES * (BM + BN) * BK * 2 <= 230000", reason = "The stages take more than the 227 KiB of shared memory that a block can have" },
]
---*/

#include "warp_group.cuh"

constexpr int CONSUMERS = BM / 64;  // warp groups that multiply

// The pattern of a swizzle of 128 bytes begins at multiples of 1,024.
__device__ bf16* aligned_tiles(bf16* shared) { return shared + (1024 - in_shared(shared) % 1024) % 1024 / sizeof(bf16); }

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(128 * (1 + CONSUMERS))
kernel(const __grid_constant__ CUtensorMap A_map, const __grid_constant__ CUtensorMap B_map, bf16* C, int M, int N, int K) {
  extern __shared__ bf16 shared[];
  bf16* A_tile = aligned_tiles(shared);      // [STAGES][BM][BK]
  bf16* B_tile = A_tile + STAGES * BM * BK;  // [STAGES][BN][BK]
  __shared__ __align__(8) u64 full[STAGES], empty[STAGES];
  const int rows = (M + BM - 1) / BM, columns = (N + BN - 1) / BN;  // of tiles
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&full[stage], CONSUMERS * 128 + 1);
      init_barrier(&empty[stage], CONSUMERS * 128 + 1);
    }
    publish_barriers();
  }
  __syncthreads();

  const int role = threadIdx.x / 128;  // 0: the producer
  int stage = 0;
  if (role == 0) {
    give_registers<24>();
    if (threadIdx.x == 0) {
#pragma unroll 1
      for (int tile = blockIdx.x; tile < rows * columns; tile += gridDim.x) {
        const int block_row = tile / columns * BM, block_column = tile % columns * BN;
#pragma unroll 1
        for (int k = 0; k < K; k += BK) {
          wait_for(&empty[stage], arrive(&empty[stage]));
          arrive_expecting(&full[stage], (BM + BN) * BK * sizeof(bf16));
          load_box(A_tile + stage * BM * BK, &A_map, &full[stage], k, block_row);
          load_box(B_tile + stage * BN * BK, &B_map, &full[stage], k, block_column);
          stage = stage + 1 < STAGES ? stage + 1 : 0;
        }
      }
    }
  } else {
    take_registers<240>();
    const int consumer = role - 1, lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    for (int s = 0; s < STAGES; ++s) arrive(&empty[s]);  // all are free
#pragma unroll 1
    for (int tile = blockIdx.x; tile < rows * columns; tile += gridDim.x) {
      const int block_row = tile / columns * BM, block_column = tile % columns * BN;
      float sum[BN / 2] = {};
#pragma unroll 1
      for (int k = 0; k < K; k += BK) {
        wait_for(&full[stage], arrive(&full[stage]));
        begin_products();
#pragma unroll
        for (int kk = 0; kk < BK; kk += 16)
          multiply_group<BN>(sum, descriptor_of(A_tile + (stage * BM + consumer * 64) * BK + kk),
                             descriptor_of(B_tile + stage * BN * BK + kk));
        commit_products();
        wait_for_products<0>();
        arrive(&empty[stage]);
        stage = stage + 1 < STAGES ? stage + 1 : 0;
      }

#pragma unroll
      for (int j = 0; j < BN / 8; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int row = block_row + consumer * 64 + warp * 16 + half * 8 + lane / 4, column = block_column + j * 8 + lane % 4 * 2;
          if (row < M && column < N)
            *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[j * 4 + half * 2], sum[j * 4 + half * 2 + 1]);
        }
    }
  }
}
