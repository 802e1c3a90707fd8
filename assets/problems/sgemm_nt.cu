/*---
title = "A times B transposed"
what = "C[i][j] = the sum of A[i][k] B[j][k]: B is N x K, as in a linear layer"
multiply_adds = true
[problem]
sizes   = { M = { value = 512, also = ["m", "BT", "rows"] }, N = { value = 512, also = ["n", "OC", "out_features"] }, K = { value = 512, also = ["k", "C", "in_features"] } }
buffers = [{ name = "A", shape = ["M", "K"], also = ["inp", "in", "input", "x", "X", "a"] },
           { name = "B", shape = ["N", "K"], also = ["weight", "W", "w", "b", "BT"] },
           { name = "C", shape = ["M", "N"], also = ["out", "output", "y", "Y", "c"] }]
scalars = [{ name = "alpha", value = 1 }, { name = "beta", value = 0 }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[column, k])"
operations = "2 * M * N * K"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void sgemm_nt(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[column * K + k];
  C[row * N + column] = sum;
}
