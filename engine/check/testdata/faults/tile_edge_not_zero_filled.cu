/*---
title   = "Only rows and columns of C are guarded"
problem = "sgemm"
idea    = "The loads are guarded by row and column but not along K: right only where K is a multiple of 16."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 48,48,48
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][17], Bs[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = row < M ? A[row * K + k0 + tx] : 0.0f;  // fault: wrong-at-odd-size
    Bs[ty][tx] = col < N ? B[(k0 + ty) * N + col] : 0.0f;  // fault: wrong-at-odd-size
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
