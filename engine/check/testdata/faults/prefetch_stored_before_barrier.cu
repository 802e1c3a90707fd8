/*---
title   = "A prefetched tile stored before the barrier"
problem = "sgemm"
idea    = "The next tile waits in registers, which is fine, but it is stored before the barrier that ends the use of the old one."
[launch]
block   = ["8", "32"]
grid    = ["ceil_div(N, 8)", "ceil_div(M, 32)"]
---*/

// size: 64,48,72
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[32][8];
  __shared__ float Bs[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, col = blockIdx.x * 8 + tx;
  float a = row < M && tx < K ? A[row * K + tx] : 0.0f;
  float b = ty < 8 && ty < K && col < N ? B[ty * N + col] : 0.0f;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    As[ty][tx] = a;
    if (ty < 8) Bs[ty][tx] = b;  // fault: race-shared
    __syncthreads();
    const int next = k0 + 8;
    a = row < M && next + tx < K ? A[row * K + next + tx] : 0.0f;
    b = ty < 8 && next + ty < K && col < N ? B[(next + ty) * N + col] : 0.0f;
    for (int k = 0; k < 8; ++k) sum += As[ty][k] * Bs[k][tx];  // fault: race-shared
    __syncwarp();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
