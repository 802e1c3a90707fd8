/*---
title = "A matrix product by TF32"
what = "C = A B, row-major, of factors that are rounded to TF32; sums in fp32"
multiply_adds = true
[problem]
sizes   = { M = { value = 2048, also = ["m"] }, N = { value = 2048, also = ["n"] }, K = { value = 2048, also = ["k"] } }
buffers = [{ name = "A", shape = ["M", "K"], also = ["a"] }, { name = "B", shape = ["K", "N"], also = ["b"] },
           { name = "C", shape = ["M", "N"], also = ["c", "D", "d"] }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[k, column])"
# Two factors are off by up to 2^-11 each. What tensor cores cut off when they add eight products to a sum is less than 2^-21 of
# them, which comes to 2^-11 at K = 8,192.
tolerance = 0.00147
operations = "2 * M * N * K"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
__device__ float as_tf32(float x) { return __uint_as_float((__float_as_uint(x) + 0x1000) & ~0x1fffu); }

extern "C" __global__ void sgemm_tf32(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += as_tf32(A[row * K + k]) * as_tf32(B[k * N + column]);
  C[row * N + column] = sum;
}
