/*---
title   = "A strip that is always taken as full"
problem = "sgemm_column"
idea    = "The strip of c is loaded and multiplied in full, 32 elements, also where fewer are left."
[launch]
block   = ["64"]
grid    = ["ceil_div(M, 64)", "N"]
---*/

// size: 64,32,64
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[32];
  const int tx = threadIdx.x, i = blockIdx.x * 64 + tx, j = blockIdx.y;
  float sum = 0.0f;
  for (int ks = 0; ks < p; ks += 32) {
    if (tx < 32) cb[tx] = c[ks + tx + p * j];  // fault: wrong-at-odd-size
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      if (i < n) sum += b[i + n * (ks + k)] * cb[k];  // fault: wrong-at-odd-size
    __syncthreads();
  }
  if (i < n) a[i + n * j] = sum;
}
