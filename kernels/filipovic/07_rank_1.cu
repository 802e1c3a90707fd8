/*---
title   = "One operand in shared memory"
problem = "sgemm"
idea    = "Only the tile of A is in shared memory. A thread keeps ROWS elements of a column of C in registers; for each k it reads one element of B into a register and adds column times row: a rank-1 update of the tile of C."
watch   = "Each multiply-add takes one operand from shared memory, the same for all lanes, and none needs a load of its own: a bound of 415 GFLOPS on a GTX 280; 375 were measured."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
WIDTH = { default = 64, values = [32, 64, 128, 256], meaning = "threads in a block; columns of B and C in a block" }
ROWS = { default = 16, values = [2, 4, 8, 16, 32], meaning = "rows of A and C in a block; sums in a thread's registers" }
DEPTH = { default = 16, values = [4, 8, 16, 32], meaning = "columns of A in a tile" }
[launch]
block   = ["WIDTH"]
grid    = ["ceil_div(N, WIDTH)", "ceil_div(M, ROWS)"]
---*/

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[ROWS][DEPTH];
  const int tx = threadIdx.x;
  const int row = blockIdx.y * ROWS, column = blockIdx.x * WIDTH + tx;

  float sum[ROWS] = {};  // a column of the tile of C
  for (int k0 = 0; k0 < K; k0 += DEPTH) {
#pragma unroll
    for (int e = tx; e < ROWS * DEPTH; e += WIDTH) {  // all threads together bring the tile, row by row
      const int r = e / DEPTH, k = e % DEPTH;
      As[r][k] = row + r < M && k0 + k < K ? A[(row + r) * K + k0 + k] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      const float b = k0 + k < K && column < N ? B[(k0 + k) * N + column] : 0.0f;  // changed: straight into a register
#pragma unroll
      for (int r = 0; r < ROWS; ++r) sum[r] += As[r][k] * b;
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r)
    if (row + r < M && column < N) C[(row + r) * N + column] = sum[r];
}
