/*---
title   = "Row-major where column-major is meant"
problem = "sgemm_column"
idea    = "The result is stored row by row, though a is column-major: a comes out transposed."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 24,24,24
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
  a[i * m + j] = sum;  // fault: wrong-result
}
