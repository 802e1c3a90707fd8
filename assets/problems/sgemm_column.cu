/*---
title = "Matrix product, column-major"
what = "a = b c, all column-major: element (i, j) of a is a[i + n j]"
multiply_adds = true
[problem]
sizes   = { M = { value = 512, also = ["n"] }, N = { value = 512, also = ["m"] }, K = { value = 512, also = ["p"] } }
buffers = [{ name = "a", shape = ["N", "M"], output = true }, { name = "b", shape = ["K", "M"] }, { name = "c", shape = ["N", "K"] }]
check   = "a[row, column] == sum(k, 0, K, b[k, column] * c[row, k])"
operations = "2 * M * N * K"
[launch]
block = [64]
grid  = ["ceil_div(M, 64)", "N"]
---*/
extern "C" __global__ void sgemm_column(float* a, const float* b, const float* c, int n, int m, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
  a[i + n * j] = sum;
}
