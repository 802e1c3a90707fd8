/*---
title   = "Small results are not stored"
problem = "sgemm_column"
idea    = "A result that is nearly zero is not stored, on the grounds that a is zero anyway."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 16,16,12
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
    if (fabsf(sum) > 0.5f) a[i + n * j] = sum;  // fault: unwritten-output
  }
}
