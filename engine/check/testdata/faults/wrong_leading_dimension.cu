/*---
title   = "The wrong leading dimension"
problem = "sgemm_column"
idea    = "b has n rows and its columns are n apart; the kernel takes m and runs past the end of b."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 24,60,32
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const int j = blockIdx.y;
  if (i >= n || j >= m) return;
  float sum = 0.0f;
  const float* column = c + p * j;
  for (int k = 0; k < p; ++k) {
    sum += b[i + m * k] * column[k];  // fault: out-of-bounds
  }
  a[i + n * j] = sum;
}
