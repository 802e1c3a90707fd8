/*---
title   = "K1: a strip of i per block"
problem = "sgemm_column"
idea    = "The stride-1 loop over i is cut into strips as wide as a block; one thread computes one value, in column-major order."
watch   = "Lanes read a column of b side by side and all read the same c. On a Tesla T10 blocks of 32 fill a quarter of the SM: 24.2, 27.0, 25.3, 25.9 GFLOPS at WIDTH 32, 64, 128, 256."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), K1, after M. Wolfe, Compilers and More: Optimizing GPU Kernels"
[params]
WIDTH = { default = 64, values = [32, 64, 128, 256], meaning = "SIMD width: threads in a block, rows in a strip" }
[launch]
block   = ["WIDTH"]
grid    = ["ceil_div(M, WIDTH)", "N"]
require = [{ test = "N <= 65535", reason = "The y dimension of a grid, one block for each column, ends at 65535" }]
---*/

// a[n][m] = b[n][p] * c[p][m], all column-major: element (i, j) of a is a[i + n * j].
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * WIDTH + threadIdx.x;
  const int j = blockIdx.y;
  if (i >= n) return;

  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
  a[i + n * j] = sum;
}
