/*---
title   = "One block clears what others add to"
problem = "sgemm_column"
idea    = "The first of two blocks sets its elements of a to zero before it adds, and the second adds atomically, perhaps before that."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N", "2"]
---*/

// size: 24,20,64
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  if (blockIdx.z == 0) a[i + n * j] = 0.0f;  // fault: race-global
  __threadfence();
  float sum = 0.0f;
  for (int k = blockIdx.z; k < p; k += 2) sum += b[i + n * k] * c[k + p * j];
  atomicAdd(&a[i + n * j], sum);  // fault: race-global
}
