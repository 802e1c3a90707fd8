/*---
title = "A product of 8-bit integers"
what = "C[i][j] = the sum of A[i][k] B[k][j] in 32 bits, exact: A and C row-major, B column-major, as tensor cores like it"
multiply_adds = true
[problem]
sizes   = { M = { value = 2048, also = ["m"] }, N = { value = 2048, also = ["n"] }, K = { value = 2048, also = ["k"] } }
buffers = [{ name = "A", type = "int8", shape = ["M", "K"], also = ["a"] },
           { name = "B", type = "int8", shape = ["N", "K"], also = ["b"] },
           { name = "C", type = "int32", shape = ["M", "N"], also = ["c", "D", "d"] }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[column, k])"
operations = "2 * M * N * K"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void gemm_s8(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  int sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[column * K + k];
  C[row * N + column] = sum;
}
