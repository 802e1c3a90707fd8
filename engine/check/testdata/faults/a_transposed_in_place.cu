/*---
title   = "The small matrix A turned in place"
problem = "sgemm"
idea    = "To read A by rows of its transpose the block turns A in place, and leaves it turned."
[launch]
block   = ["16", "16"]
grid    = ["1", "1"]
---*/

// size: 16,16,16
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int x = threadIdx.x, y = threadIdx.y;
  float* At = const_cast<float*>(A);
  float v = 0.0f;
  const bool square = M == K && M <= 16 && x < M && y < M;
  if (square) v = A[y * K + x];
  __syncthreads();
  if (square) At[x * K + y] = v;  // fault: write-to-input
  __syncthreads();
  float sum = 0.0f;
  if (y < M && x < N)
    for (int k = 0; k < K; ++k) sum += At[k * K + y] * B[k * N + x];
  if (y < M && x < N) C[y * N + x] = sum;
}
