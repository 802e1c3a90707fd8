/*---
title   = "A float counter that stands still"
problem = "sgemm_column"
idea    = "The counter is a float that begins at 2 to the 24th: adding one does not change it any more."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 8,8,8
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  const float base = 16777216.0f;
  float sum = 0.0f;
  for (float k = base; k < base + p; k += 1.0f) {  // fault: endless-loop
    const int e = static_cast<int>(k - base);
    sum += b[i + n * e] * c[e + p * j];
    a[i + n * j] = sum;
  }
}
