/*---
title   = "One warp loads for two"
problem = "sgemm_column"
idea    = "Only the first warp loads the column of c, and the second warp uses it at once: nothing makes it wait."
[launch]
block   = ["64"]
grid    = ["N", "ceil_div(M, 64)"]
---*/

// size: 64,64,96
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float strip[32];
  const int j = blockIdx.x, i = blockIdx.y * 64 + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < p; k0 += 32) {
    __syncthreads();  // nobody uses the old strip any more
    if (threadIdx.x < 32 && k0 + threadIdx.x < p) {
      strip[threadIdx.x] = c[k0 + threadIdx.x + p * j];  // fault: race-shared
    }
    __syncwarp();
    for (int k = 0; k < 32 && k0 + k < p; ++k)
      if (i < n) sum += b[i + n * (k0 + k)] * strip[k];  // fault: race-shared
  }
  if (i < n) a[i + n * j] = sum;
}
