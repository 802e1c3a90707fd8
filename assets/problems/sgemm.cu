/*---
title = "Matrix product"
what = "C = A B, row-major"
multiply_adds = true
[problem]
sizes   = { M = { value = 512, also = ["m", "hA", "numARows", "rowsA", "A_rows", "num_rows_A", "numCRows"] }, N = { value = 512, also = ["n", "wB", "numBColumns", "colsB", "B_cols", "num_cols_B", "width", "Width", "size", "numCColumns", "WIDTH"] }, K = { value = 512, also = ["k", "wA", "numAColumns", "colsA", "A_cols", "num_cols_A"] } }
buffers = [{ name = "A", shape = ["M", "K"], also = ["a", "left", "x", "X"] }, { name = "B", shape = ["K", "N"], also = ["b", "right", "y", "Y"] },
           { name = "C", shape = ["M", "N"], also = ["c", "P", "out", "result", "z", "Z"] }]
scalars = [{ name = "alpha", value = 1 }, { name = "beta", value = 0 },
           { name = "lda", type = "int", value = "K", also = ["numBRows", "rowsB", "num_rows_B", "strideA"] }, { name = "ldb", type = "int", value = "N", also = ["strideB"] },
           { name = "ldc", type = "int", value = "N", also = ["strideC"] },
           { name = "rows_of_C", type = "int", value = "M", also = ["numCRows", "rowsC", "num_rows_C", "hC"] },
           { name = "columns_of_C", type = "int", value = "N", also = ["numCColumns", "colsC", "num_cols_C", "wC"] }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[k, column])"
operations = "2 * M * N * K"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void sgemm(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
