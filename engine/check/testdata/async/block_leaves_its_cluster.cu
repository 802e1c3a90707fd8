/*---
title   = "Block leaves its cluster"
idea    = "A block ends while the other one still arrives at its barrier."
problem = "gemm_bf16"
arch    = "90a"
maps    = [{ name = "A_map", of = "A", box = [64, 32], swizzle = "128B" }, { name = "B_map", of = "B", box = [64, 8], swizzle = "128B" }]
[launch]
block   = [128]
grid    = ["ceil_div(N, 16) * 2", "ceil_div(M, 64)"]
require = ["M % 8 == 0 && N % 8 == 0 && K % 8 == 0"]
---*/

// size: 128,64,384
#include "async.cuh"

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
kernel(const __grid_constant__ CUtensorMap A_map, const __grid_constant__ CUtensorMap B_map, bf16* C, int M, int N, int K) {
  __shared__ __align__(1024) bf16 A_tile[64 * 64];
  __shared__ __align__(1024) bf16 B_tile[8 * 64];
  __shared__ __align__(8) u64 full, empty;
  const int rank = rank_in_cluster();
  const int block_row = blockIdx.y * 64, block_column = blockIdx.x * 8;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 2);
    publish();
  }
  meet_cluster();

  float sum[4] = {};
  int parity = 0;
  for (int k = 0; k < K; k += 64) {
    if (threadIdx.x == 0) {
      wait(&empty, parity ^ 1);
      expect(&full, (64 + 8) * 64 * 2);
      load_box_for(3, A_tile + rank * 32 * 64, &A_map, &full, k, block_row + rank * 32);
      load_box(B_tile, &B_map, &full, k, block_column);
    }
    __syncwarp();
    wait(&full, parity);
    parity ^= 1;
    fence_products();
    for (int kk = 0; kk < 64; kk += 16) multiply(sum, descriptor_of(A_tile + kk), descriptor_of(B_tile + kk));
    commit_products();
    wait_for_products<0>();
    if (threadIdx.x < 2) arrive_at(&empty, threadIdx.x);  // fault: out-of-bounds
  }

  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  for (int half = 0; half < 2; ++half) {
    const int row = block_row + warp * 16 + half * 8 + lane / 4, column = block_column + lane % 4 * 2;
    if (row < M && column < N) *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[2 * half], sum[2 * half + 1]);
  }
}
