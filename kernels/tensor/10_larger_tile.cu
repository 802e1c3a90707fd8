/*---
title = "Larger tiles"
problem = "gemm_bf16"
arch  = "90a"
maps  = [{ name = "A_map", of = "A", box = ["BK", "BM"], swizzle = "128B" },
         { name = "B_map", of = "B", box = ["BK", "BN"], swizzle = "128B" }]
idea  = "A warp group multiplies several times 64 rows: a tile that is copied once is used by more products."
watch = "Each number that comes from memory is multiplied with 128 others instead of 64: half of the bytes for the same product. The sums fill 128 registers of each thread; a tile twice as large would have no room."
source = "P. Shah, fast.cu; PTX ISA, wgmma"
[params]
BM = { default = 128, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 64, values = [64], meaning = "depth of the tiles: 64 numbers are the 128 bytes of the swizzle" }
[launch]
block   = ["128"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "M % 8 == 0 && N % 8 == 0 && K % 8 == 0", reason = "Rows begin on 16 bytes only where 8 divides the sizes" },
  { test = "BM * BN <= 128 * 128", reason = "The sums of a larger tile do not fit in the registers" },
]
---*/

#include "warp_group.cuh"

constexpr int GROUPS = BM / 64;  // products of 64 rows

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(128)
kernel(const __grid_constant__ CUtensorMap A_map, const __grid_constant__ CUtensorMap B_map, bf16* C, int M, int N, int K) {
  __shared__ __align__(1024) bf16 A_tile[BM * BK];
  __shared__ __align__(1024) bf16 B_tile[BN * BK];
  __shared__ __align__(8) u64 full;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    publish_barriers();
  }
  __syncthreads();

  float sum[GROUPS][BN / 2] = {};
  int parity = 0;
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    if (threadIdx.x == 0) {
      arrive_expecting(&full, (BM + BN) * BK * sizeof(bf16));
      load_box(A_tile, &A_map, &full, k, block_row);
      load_box(B_tile, &B_map, &full, k, block_column);
    }
    wait_parity(&full, parity);
    parity ^= 1;

    begin_products();
#pragma unroll
    for (int group = 0; group < GROUPS; ++group)
#pragma unroll
      for (int kk = 0; kk < BK; kk += 16)
        multiply_group<BN>(sum[group], descriptor_of(A_tile + group * 64 * BK + kk), descriptor_of(B_tile + kk));
    commit_products();
    wait_for_products<0>();
    __syncthreads();
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
