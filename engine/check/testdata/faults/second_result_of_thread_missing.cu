/*---
title   = "One of a thread's two results not stored"
problem = "sgemm"
idea    = "Each thread computes two columns of C and stores one of them."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 16)"]
---*/

// size: 16,64,20
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  if (row >= M) return;
  float left = 0.0f, right = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = A[row * K + k];
    if (col < N) left += a * B[k * N + col];
    if (col + 16 < N) right += a * B[k * N + col + 16];
  }
  if (col < N) C[row * N + col] = left;  // fault: unwritten-output
  if (col + 16 < N && right != right) C[row * N + col + 16] = right;  // fault: unwritten-output
}
