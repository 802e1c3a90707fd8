/*---
title   = "A block of one warp without barriers"
problem = "sgemm_column"
idea    = "The lecture notes say that a block of one warp needs no barrier; since lanes are scheduled on their own it does, or __syncwarp()."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 30,40,70
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[32];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * 32 + tx;
  const int j = blockIdx.y;
  float sum = 0.0f;
  for (int ks = 0; ks < p; ks += 32) {
    cb[tx] = ks + tx < p ? c[ks + tx + p * j] : 0.0f;  // fault: race-warp
    for (int k = 0; k < 32 && ks + k < p; ++k)
      sum += (i < n ? b[i + n * (ks + k)] : 0.0f) * cb[k];  // fault: race-warp
  }
  if (i < n) a[i + n * j] = sum;
}
