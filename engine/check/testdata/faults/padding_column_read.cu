/*---
title   = "The padding of a tile takes part"
problem = "sgemm"
idea    = "The loop over k runs over the padded width of the tile, 17, and the 17th column is never stored."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,40
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][17], Bs[17][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  if (ty == 0) Bs[16][tx] = 0.0f;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 17; ++k) sum += As[ty][k] * Bs[k][tx];  // fault: uninitialized-shared
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
