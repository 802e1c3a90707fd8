/*---
title   = "Tiles of 16 x 16"
problem = "sgemm"
idea    = "A block brings a tile of A and one of B into shared memory and reads every element TILE times from there."
watch   = "Global memory allows 568 GFLOPS on a GTX 280 now. Each multiply-add reads both of its factors from shared memory, and one of them needs a load of its own: a bound of 244; 198 were measured."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
TILE = { default = 16, values = [4, 8, 16, 32], meaning = "edge of the square tiles of A, B and C; the lecture's BLOCK" }
[launch]
block   = ["TILE", "TILE"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
---*/

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;  // of C

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    // Outside the matrices a zero, which adds nothing to the sum. (The lecture takes sizes that tiles divide.)
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && column < N ? B[(k0 + ty) * N + column] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}
