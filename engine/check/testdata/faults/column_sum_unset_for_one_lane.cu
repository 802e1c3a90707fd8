/*---
title   = "Two sums, one of them unset"
problem = "sgemm_column"
idea    = "Even and odd k are added to two sums of which the second has no first value."
[launch]
block   = ["64"]
grid    = ["ceil_div(M, 64)", "N"]
---*/

// size: 40,16,30
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 64 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float even = 0.0f, odd;  // fault: uninitialized-register
#pragma unroll 1
  for (int k = 0; k + 1 < p; k += 2) {
    even += b[i + n * k] * c[k + p * j];
    odd += b[i + n * (k + 1)] * c[k + 1 + p * j];  // fault: uninitialized-register
  }
  if (p % 2) even += b[i + n * (p - 1)] * c[p - 1 + p * j];
  a[i + n * j] = even + odd;  // fault: uninitialized-register
}
