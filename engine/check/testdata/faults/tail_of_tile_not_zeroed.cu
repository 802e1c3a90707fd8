/*---
title   = "The tile is not filled up with zeros"
problem = "sgemm"
idea    = "Outside the matrices nothing is stored in place of a zero, but the tile is multiplied in full: past the end of K it holds anything."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,48,10
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (row < M && k0 + tx < K) As[ty][tx] = A[row * K + k0 + tx];
    if (k0 + ty < K && col < N) Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];  // fault: uninitialized-shared
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
