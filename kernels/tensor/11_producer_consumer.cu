/*---
title = "Producer and consumer"
problem = "gemm_bf16"
arch  = "90a"
maps  = [{ name = "A_map", of = "A", box = ["BK", "BM"], swizzle = "128B" },
         { name = "B_map", of = "B", box = ["BK", "BN"], swizzle = "128B" }]
idea  = "A warp group of its own copies, another multiplies: between them a ring of stages, each with a barrier that says full and one that says empty."
watch = "Neither waits for the other as long as the ring is neither full nor empty. Time shows two roles instead of threads that do everything in turn."
source = "P. Shah, fast.cu; PTX ISA, mbarrier"
[params]
BM = { default = 128, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 64, values = [64], meaning = "depth of the tiles: 64 numbers are the 128 bytes of the swizzle" }
STAGES = { default = 4, values = [2, 3, 4, 5], meaning = "tiles in use or under way" }
[launch]
block   = ["256"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared  = "1024 + STAGES * (BM + BN) * BK * 2"
require = [
  { test = "M % 8 == 0 && N % 8 == 0 && K % 8 == 0", reason = "Rows begin on 16 bytes only where 8 divides the sizes" },
  { test = "BM * BN <= 128 * 128", reason = "The sums of a larger tile do not fit in the registers" },
  { test = "1024 + STAGES * (BM + BN) * BK * 2 <= 230000", reason = "The stages take more than the 227 KiB of shared memory that a block can have" },
]
---*/

#include "warp_group.cuh"

constexpr int GROUPS = BM / 64;

// The pattern of a swizzle of 128 bytes begins at multiples of 1,024.
__device__ bf16* aligned_tiles(bf16* shared) { return shared + (1024 - in_shared(shared) % 1024) % 1024 / sizeof(bf16); }

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(256)
kernel(const __grid_constant__ CUtensorMap A_map, const __grid_constant__ CUtensorMap B_map, bf16* C, int M, int N, int K) {
  extern __shared__ bf16 shared[];
  bf16* A_tile = aligned_tiles(shared);      // [STAGES][BM][BK]
  bf16* B_tile = A_tile + STAGES * BM * BK;  // [STAGES][BN][BK]
  __shared__ __align__(8) u64 full[STAGES], empty[STAGES];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&full[stage], 128 + 1);  // all consumers and the producer
      init_barrier(&empty[stage], 128 + 1);
    }
    publish_barriers();
  }
  __syncthreads();

  if (threadIdx.x < 128) {  // changed: the producer, of which one thread is enough
    if (threadIdx.x != 0) return;
    int stage = 0;
#pragma unroll 1
    for (int k = 0; k < K; k += BK) {
      wait_for(&empty[stage], arrive(&empty[stage]));
      arrive_expecting(&full[stage], (BM + BN) * BK * sizeof(bf16));
      load_box(A_tile + stage * BM * BK, &A_map, &full[stage], k, block_row);
      load_box(B_tile + stage * BN * BK, &B_map, &full[stage], k, block_column);
      stage = stage + 1 < STAGES ? stage + 1 : 0;
    }
    return;
  }

  for (int stage = 0; stage < STAGES; ++stage) arrive(&empty[stage]);  // all are free
  float sum[GROUPS][BN / 2] = {};
  int stage = 0;
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    wait_for(&full[stage], arrive(&full[stage]));
    begin_products();
#pragma unroll
    for (int group = 0; group < GROUPS; ++group)
#pragma unroll
      for (int kk = 0; kk < BK; kk += 16)
        multiply_group<BN>(sum[group], descriptor_of(A_tile + (stage * BM + group * 64) * BK + kk),
                           descriptor_of(B_tile + stage * BN * BK + kk));
    commit_products();
    wait_for_products<0>();
    arrive(&empty[stage]);
    stage = stage + 1 < STAGES ? stage + 1 : 0;
  }

#pragma unroll
  for (int group = 0; group < GROUPS; ++group) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (int j = 0; j < BN / 8; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = block_row + group * 64 + warp * 16 + half * 8 + lane / 4, column = block_column + j * 8 + lane % 4 * 2;
        if (row < M && column < N)
          *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[group][j * 4 + half * 2], sum[group][j * 4 + half * 2 + 1]);
      }
  }
}
