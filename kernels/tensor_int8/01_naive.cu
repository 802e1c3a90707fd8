/*---
title = "Naive"
problem = "gemm_s8"
idea  = "One thread computes one element of C, byte by byte: each product of two 8-bit numbers is an instruction of 32 bits, and so is each load."
watch = "Neighbouring lanes read columns of B that lie K bytes apart: a sector for each lane, of which it takes one byte."
source = "Programming Parallel Computers (Aalto University), matrix products of 8-bit integers"
show  = "B"
[params]
BLOCK_X = { default = 32, values = [8, 16, 32, 64, 128], meaning = "columns of C in a block, along threadIdx.x" }
BLOCK_Y = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rows of C in a block, along threadIdx.y" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X)", "ceil_div(M, BLOCK_Y)"]
require = [
  { test = "BLOCK_X * BLOCK_Y <= 1024", reason = "A block has at most 1024 threads" },
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
]
---*/

using s8 = signed char;

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void kernel(const s8* A, const s8* B, int* C, int M, int N, int K) {
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  const int column = blockIdx.x * BLOCK_X + threadIdx.x;
  if (row >= M || column >= N) return;

  int sum = 0;
#pragma unroll 4
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[column * K + k];
  C[row * N + column] = sum;
}
