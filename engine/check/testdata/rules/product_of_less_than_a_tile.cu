/*---
title   = "The rest of a tile is not zero-filled"
problem = "sgemm"
idea    = "Of B nothing is stored beyond its edge, which shows where K is less than a tile."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 64,64,64
// says: wrong at K = 3, M = 2053, N = 3
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[16][16], b[16][16];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < K; k += 16) {
    a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0.0f;
    if (column < N && k + y < K) b[y][x] = B[(k + y) * N + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += a[y][j] * b[j][x];  // fault: wrong-at-odd-size
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}
