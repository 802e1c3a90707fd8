/*---
title   = "Two arrays in dynamic shared memory overlap"
problem = "sgemm"
idea    = "The second array begins 16 rows after the first in place of 16 rows of 17: their last and first elements overlap and two threads store to the same place."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
shared  = "2 * 16 * 17 * 4"
---*/

// size: 33,47,60
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ float pool[];
  float(*As)[17] = reinterpret_cast<float(*)[17]>(pool);
  float(*Bs)[17] = reinterpret_cast<float(*)[17]>(pool + 16 * 16);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;  // fault: race-shared
    Bs[ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;  // fault: race-shared
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
