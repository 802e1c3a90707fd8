/*---
title   = "A strip longer than the block"
problem = "sgemm_column"
idea    = "The strip has 64 elements and the block 48 threads, each of which loads one: 16 elements are never loaded."
[launch]
block   = ["48"]
grid    = ["ceil_div(M, 48)", "N"]
---*/

// size: 48,30,100
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[64];
  const int tx = threadIdx.x, i = blockIdx.x * 48 + tx, j = blockIdx.y;
  float sum = 0.0f;
  for (int ks = 0; ks < p; ks += 64) {
    if (tx < 64 && ks + tx < p) cb[tx] = c[ks + tx + p * j];
    __syncthreads();
    for (int k = 0; k < min(64, p - ks); ++k)
      if (i < n) sum += b[i + n * (ks + k)] * cb[k];  // fault: uninitialized-shared
    __syncthreads();
  }
  if (i < n) a[i + n * j] = sum;
}
