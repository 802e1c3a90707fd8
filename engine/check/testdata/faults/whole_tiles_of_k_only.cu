/*---
title   = "Only whole tiles of K"
problem = "sgemm"
idea    = "K / 16 tiles are multiplied: what is left of K when it is no multiple of 16 is forgotten."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int m = 0; m < K / 16; ++m) {  // fault: wrong-at-odd-size
    As[ty][tx] = row < M ? A[row * K + m * 16 + tx] : 0.0f;
    Bs[ty][tx] = col < N ? B[(m * 16 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
