/*---
title = "A product of bf16 numbers"
what = "C[i][j] = the sum of A[i][k] B[k][j] in fp32, rounded to bf16: A and C row-major, B column-major, as tensor cores like it"
multiply_adds = true
[problem]
sizes   = { M = { value = 2048, also = ["m"] }, N = { value = 2048, also = ["n"] }, K = { value = 2048, also = ["k"] } }
buffers = [{ name = "A", type = "bfloat16", shape = ["M", "K"], also = ["a"] },
           { name = "B", type = "bfloat16", shape = ["N", "K"], also = ["b"] },
           { name = "C", type = "bfloat16", shape = ["M", "N"], also = ["c", "D", "d"] }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[column, k])"
operations = "2 * M * N * K"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cuda_bf16.h>
extern "C" __global__ void gemm_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += __bfloat162float(A[row * K + k]) * __bfloat162float(B[column * K + k]);
  C[row * N + column] = __float2bfloat16(sum);
}
