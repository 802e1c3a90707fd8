/*---
title   = "Double buffering with a single barrier a tile"
problem = "sgemm"
idea    = "Looks as if a barrier were missing, but a buffer is filled again only after the barrier that follows its last use."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 40,56,90
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[2][16][16], Bs[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0, b = 0; k0 < K; k0 += 16, b ^= 1) {
    As[b][ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[b][ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[b][ty][k] * Bs[b][k][tx];
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
