/*---
title = "dp4a"
problem = "gemm_s8"
idea  = "Four neighbours along k are one word: a load brings four numbers, and dp4a multiplies and adds four pairs of them."
watch = "A quarter of the loads and of the products. The lanes read as far apart as before: each load of B still takes a sector for each lane."
source = "PTX ISA, dp4a; CUDA C++ Programming Guide, SIMD and dot product functions"
show  = "B"
[params]
BLOCK_X = { default = 32, values = [8, 16, 32, 64, 128], meaning = "columns of C in a block, along threadIdx.x" }
BLOCK_Y = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rows of C in a block, along threadIdx.y" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X)", "ceil_div(M, BLOCK_Y)"]
require = [
  { test = "K % 4 == 0", reason = "Rows begin on a word, and end with one, only where 4 divides K" },
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

  const int* a = reinterpret_cast<const int*>(A + row * K);
  const int* b = reinterpret_cast<const int*>(B + column * K);
  int sum = 0;
#pragma unroll 4
  for (int k = 0; k < K / 4; ++k) sum = __dp4a(a[k], b[k], sum);  // four pairs of bytes
  C[row * N + column] = sum;
}
