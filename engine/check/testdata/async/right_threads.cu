/*---
title   = "Right threads"
idea    = "Right: what the others of this folder change."
problem = "gemm_bf16"
arch    = "90a"
[launch]
block   = [128]
grid    = ["ceil_div(N, 8)", "ceil_div(M, 64)"]
require = ["M % 8 == 0 && N % 8 == 0 && K % 8 == 0"]
---*/

// right
// size: 128,64,384
#include "async.cuh"

__device__ int swizzled(int row, int column) { return row * 64 + (column ^ row % 8 * 8); }

extern "C" __global__ void __launch_bounds__(128)
kernel(const bf16* A, const bf16* B, bf16* C, int M, int N, int K) {
  __shared__ __align__(1024) bf16 A_tile[64 * 64];
  __shared__ __align__(1024) bf16 B_tile[8 * 64];
  const int block_row = blockIdx.y * 64, block_column = blockIdx.x * 8;
  float sum[4] = {};
  for (int k = 0; k < K; k += 64) {
    for (int i = threadIdx.x; i < 64 * 64; i += 128) {
      const int row = block_row + i / 64, column = k + i % 64;
      A_tile[swizzled(i / 64, i % 64)] = row < M && column < K ? A[row * K + column] : bf16{};
    }
    for (int i = threadIdx.x; i < 8 * 64; i += 128) {
      const int row = block_column + i / 64, column = k + i % 64;
      B_tile[swizzled(i / 64, i % 64)] = row < N && column < K ? B[row * K + column] : bf16{};
    }
    show_to_copies();
    __syncthreads();
    fence_products();
    for (int kk = 0; kk < 64; kk += 16) multiply(sum, descriptor_of(A_tile + kk), descriptor_of(B_tile + kk));
    commit_products();
    wait_for_products<0>();
    __syncthreads();
  }

  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  for (int half = 0; half < 2; ++half) {
    const int row = block_row + warp * 16 + half * 8 + lane / 4, column = block_column + lane % 4 * 2;
    if (row < M && column < N) *reinterpret_cast<u32*>(C + row * N + column) = as_bf16(sum[2 * half], sum[2 * half + 1]);
  }
}
