/*---
title   = "beta times an element that was written before"
problem = "sgemm_column"
idea    = "Looks like alpha b c + beta a with nothing in a, but the thread has stored the first half of the sum there."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// right
// size: 24,24,24
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const float alpha = 1.0f, beta = 1.0f;
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float low = 0.0f, high = 0.0f;
  for (int k = 0; k < p / 2; ++k) low += b[i + n * k] * c[k + p * j];
  a[i + n * j] = low;
  for (int k = p / 2; k < p; ++k) high += b[i + n * k] * c[k + p * j];
  a[i + n * j] = alpha * high + beta * a[i + n * j];
}
