/*---
title   = "Registers given by one warp"
idea    = "One warp of the producer gives back registers, and the others keep theirs."
problem = "gemm_bf16"
arch    = "90a"
maps    = [{ name = "A_map", of = "A", box = [64, 64], swizzle = "128B" }, { name = "B_map", of = "B", box = [64, 8], swizzle = "128B" }]
[launch]
block   = [256]
grid    = ["ceil_div(N, 8)", "ceil_div(M, 64)"]
require = ["M % 8 == 0 && N % 8 == 0 && K % 8 == 0"]
---*/

// size: 128,64,384
#include "async.cuh"

constexpr int STAGES = 2;

extern "C" __global__ void __launch_bounds__(256)
kernel(const __grid_constant__ CUtensorMap A_map, const __grid_constant__ CUtensorMap B_map, bf16* C, int M, int N, int K) {
  __shared__ __align__(1024) bf16 A_tile[STAGES][64 * 64];
  __shared__ __align__(1024) bf16 B_tile[STAGES][8 * 64];
  __shared__ __align__(8) u64 full[STAGES], empty[STAGES];
  const int block_row = blockIdx.y * 64, block_column = blockIdx.x * 8;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 1);
    }
    publish();
  }
  __syncthreads();

  int stage = 0, phase = 0;
  if (threadIdx.x < 128) {
    if (threadIdx.x < 32) give_registers<24>();  // fault: partial-warp-group
    if (threadIdx.x == 0)
      for (int k = 0; k < K; k += 64) {
        wait(&empty[stage], phase ^ 1);
        expect(&full[stage], (64 + 8) * 64 * 2);
        load_box(A_tile[stage], &A_map, &full[stage], k, block_row);
        load_box(B_tile[stage], &B_map, &full[stage], k, block_column);
        stage = stage + 1 < STAGES ? stage + 1 : 0;
        phase ^= stage == 0;
      }
    return;
  }
  take_registers<32>();
  float sum[4] = {};
  for (int k = 0; k < K; k += 64) {
    wait(&full[stage], phase);
    fence_products();
    for (int kk = 0; kk < 64; kk += 16)
      multiply(sum, descriptor_of(A_tile[stage] + kk), descriptor_of(B_tile[stage] + kk));
    commit_products();
    wait_for_products<0>();
    if (threadIdx.x == 128) arrive(&empty[stage]);
    stage = stage + 1 < STAGES ? stage + 1 : 0;
    phase ^= stage == 0;
  }

  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  for (int half = 0; half < 2; ++half) {
    const int row = block_row + warp * 16 + half * 8 + lane / 4, column = block_column + lane % 4 * 2;
    if (row < M && column < N) *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[2 * half], sum[2 * half + 1]);
  }
}
