/*---
title   = "A const __restrict__ pointer to what is written"
problem = "sgemm_column"
idea    = "A helper takes the previous sum through a const __restrict__ pointer and the compiler is told to use the read-only path, but the loop writes that element."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 32,16,40
__device__ float previous(const float* __restrict__ a, int at) {
  return __ldg(a + at);  // fault: stale-read-only
}

// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  a[i + n * j] = 0.0f;  // fault: stale-read-only
  for (int k0 = 0; k0 < p; k0 += 8) {
    float sum = previous(a, i + n * j);  // fault: stale-read-only
    for (int k = k0; k < min(k0 + 8, p); ++k) sum += b[i + n * k] * c[k + p * j];
    a[i + n * j] = sum;  // fault: stale-read-only
  }
}
