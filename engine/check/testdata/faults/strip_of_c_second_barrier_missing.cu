/*---
title   = "A strip of c overwritten too early"
problem = "sgemm_column"
idea    = "The loop has a barrier after the strip of c is loaded but none after it is used: the second warp still reads it when the first loads the next."
[launch]
block   = ["64"]
grid    = ["ceil_div(M, 64)", "N"]
---*/

// size: 40,130,150
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[64];
  int tx = threadIdx.x;
  int i = blockIdx.x * 64 + tx;
  int j = blockIdx.y;
  float sum = 0.0f;
  for (int ks = 0; ks < p; ks += 64) {
    cb[tx] = ks + tx < p ? c[ks + tx + p * j] : 0.0f;  // fault: race-shared
    __syncthreads();
    int end = min(64, p - ks);
    for (int k = 0; k < end; ++k)
      if (i < n) sum += b[i + n * (ks + k)] * cb[k];  // fault: race-shared
  }
  if (i < n) a[i + n * j] = sum;
}
