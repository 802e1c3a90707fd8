/*---
title   = "Tiled product, first barrier missing"
problem = "sgemm"
idea    = "The first barrier is missing: threads multiply with elements of the tiles that other warps have not stored yet."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 96,64,80
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;  // fault: race-shared
    Bs[ty][tx] = (col < N && k0 + ty < K) ? B[(k0 + ty) * N + col] : 0.0f;  // fault: race-shared
    for (int k = 0; k < 16; ++k) {
      sum += As[ty][k] * Bs[k][tx];  // fault: race-shared
    }
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
