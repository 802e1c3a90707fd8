/*---
title   = "__syncwarp() where the whole block must meet"
problem = "sgemm"
idea    = "A row of threads is a warp and loads its own row of B, but all warps read all eight rows: __syncwarp() does not wait for the others."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 8)"]
---*/

// size: 40,40,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float Bs[8][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 8 + ty, col = blockIdx.x * 32 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;  // fault: race-shared
    __syncwarp();
    for (int k = 0; k < 8; ++k)
      if (row < M && k0 + k < K) sum += A[row * K + k0 + k] * Bs[k][tx];  // fault: race-shared
    __syncwarp();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
