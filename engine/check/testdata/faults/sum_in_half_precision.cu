/*---
title   = "The sum kept in half precision"
problem = "sgemm"
idea    = "The products are summed in half precision, which has 11 bits: the result is off in the third digit."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,256
#include <cuda_fp16.h>
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N) return;
  __half sum = __float2half(0.0f);  // fault: wrong-result
  for (int k = 0; k < K; ++k) {
    sum = __hadd(sum, __float2half(A[row * K + k] * B[k * N + col]));  // fault: wrong-result
  }
  C[row * N + col] = __half2float(sum);
}
