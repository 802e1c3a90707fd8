/*---
title   = "K divided into chunks of no elements"
problem = "sgemm"
idea    = "K / 8 is zero for K = 6, and K is divided by it to get the number of chunks."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 16,16,6
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  const int chunk = K / 8;
  const int chunks = K / chunk;  // fault: division-by-zero
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  int k = 0;
  for (int e = 0; e < chunks && k < K; ++e)
    for (int end = min(K, k + max(chunk, 1)); k < end; ++k) sum += A[row * K + k] * B[k * N + col];
  for (; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}
