/*---
title   = "An unsigned loop that counts down"
problem = "sgemm_column"
idea    = "Looks like the countdown that never ends, but the test comes before the subtraction."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// right
// size: 18,22,26
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const unsigned i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float sum = 0.0f;
  for (unsigned k = p; k-- > 0;) {
    sum += b[i + n * k] * c[k + p * j];
  }
  a[i + n * j] = sum;
}
