/*---
title   = "Ends before its stores"
idea    = "The block ends while its last tile is still read by the copy."
problem = "gemm_bf16"
arch    = "90a"
maps    = [{ name = "C_map", of = "C", box = [64, 8] }]
[launch]
block   = [128]
grid    = ["1", "ceil_div(M, 16)"]
require = ["M % 8 == 0 && N % 8 == 0 && K % 8 == 0"]
---*/

// size: 128,64,384
#include "async.cuh"

extern "C" __global__ void __launch_bounds__(128)
kernel(const bf16* A, const bf16* B, const __grid_constant__ CUtensorMap C_map, int M, int N, int K) {
  __shared__ __align__(128) bf16 C_tile[8 * 64];
  const int block_row = blockIdx.y * 16;
  for (int block_column = 0; block_column < N; block_column += 64) {
    if (threadIdx.x == 0) wait_for_stores();
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      for (int i = threadIdx.x; i < 8 * 64; i += 128) {
        const int row = block_row + half * 8 + i / 64, column = block_column + i % 64;
        float sum = 0;
        if (row < M && column < N)
          for (int k = 0; k < K; ++k)
            sum += __uint_as_float(A[row * K + k].bits << 16) * __uint_as_float(B[column * K + k].bits << 16);
        C_tile[i].bits = static_cast<unsigned short>(as_bf16(sum, 0));
      }
      show_to_copies();
      __syncthreads();
      if (threadIdx.x == 0) {
        store_box(&C_map, C_tile, block_column, block_row + half * 8);  // fault: race-async
        commit_stores();
        if (block_column + 64 < N || half == 0) wait_for_stores();
      }
      __syncthreads();
    }
  }
}
