/*---
title   = "A ring of strips without its wrap"
problem = "sgemm_column"
idea    = "The ring has room for two strips and the index is not taken modulo 64: the third strip goes into the array behind it."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 32,32,80
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float ring[64];
  __shared__ float guard[32];
  const int tx = threadIdx.x, i = blockIdx.x * 32 + tx, j = blockIdx.y;
  guard[tx] = 0.0f;
  float sum = 0.0f;
#pragma unroll 1
  for (int ks = 0; ks < p; ks += 32) {
    __syncthreads();
    if (ks + tx < p) ring[ks + tx] = c[ks + tx + p * j];  // fault: out-of-array // fault: out-of-bounds
    __syncthreads();
    for (int k = ks; k < min(ks + 32, p); ++k)
      if (i < n) sum += b[i + n * k] * ring[k];  // fault: out-of-array // fault: out-of-bounds
  }
  if (i < n) a[i + n * j] = sum + 0.0f * guard[31 - tx];
}
