/*---
title = "wgmma and TMA"
problem = "gemm_bf16"
arch  = "90a"
maps  = [{ name = "A_map", of = "A", box = ["BK", "BM"], swizzle = "128B" },
         { name = "B_map", of = "B", box = ["BK", "BN"], swizzle = "128B" }]
idea  = "128 threads multiply 64 rows with one instruction that reads both tiles from shared memory itself; one thread has the tiles copied by the tensor memory accelerator."
watch = "No thread loads a fragment, and none computes an address of a tile: a descriptor and a map of 128 bytes say where everything lies. The swizzle that step 5 did by hand is theirs."
source = "PTX ISA, wgmma and cp.async.bulk.tensor; P. Shah, fast.cu"
[params]
BM = { default = 64, values = [64], meaning = "rows of C in a block" }
BN = { default = 64, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 64, values = [64], meaning = "depth of the tiles: 64 numbers are the 128 bytes of the swizzle" }
[launch]
block   = [128]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "M % 8 == 0 && N % 8 == 0 && K % 8 == 0", reason = "Rows begin on 16 bytes only where 8 divides the sizes" },
]
---*/

#include "warp_group.cuh"

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

  float sum[BN / 2] = {};
  int parity = 0;
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    if (threadIdx.x == 0) {
      arrive_expecting(&full, (BM + BN) * BK * sizeof(bf16));
      load_box(A_tile, &A_map, &full, k, block_row);  // what lies outside of the matrix comes as zeros
      load_box(B_tile, &B_map, &full, k, block_column);
    }
    wait_parity(&full, parity);
    parity ^= 1;

    begin_products();
#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) multiply_group<BN>(sum, descriptor_of(A_tile + kk), descriptor_of(B_tile + kk));
    commit_products();
    wait_for_products<0>();
    __syncthreads();  // before the next tile comes to where this one was read
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < BN / 8; ++j)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = block_row + warp * 16 + half * 8 + lane / 4, column = block_column + j * 8 + lane % 4 * 2;
      if (row < M && column < N)
        *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[j * 4 + half * 2], sum[j * 4 + half * 2 + 1]);
    }
}
