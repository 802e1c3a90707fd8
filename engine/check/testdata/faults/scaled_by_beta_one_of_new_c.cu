/*---
title   = "alpha and beta with nothing in a"
problem = "sgemm_column"
idea    = "The general form alpha b c + beta a is taken with beta = 1, but a holds nothing yet."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 20,20,20
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const float alpha = 1.0f, beta = 1.0f;
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
    a[i + n * j] = alpha * sum + beta * a[i + n * j];  // fault: uninitialized-global
  }
}
