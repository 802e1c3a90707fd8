/*---
title   = "A while loop that lanes leave one by one"
problem = "sgemm_column"
idea    = "Each lane leaves the loop when its own counter is used up, and the counter begins at the lane's number: the barriers in the loop see fewer lanes each time."
[launch]
block   = ["32"]
grid    = ["ceil_div(M, 32)", "N"]
---*/

// size: 20,33,40
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[32];
  const int tx = threadIdx.x, j = blockIdx.y;
  const int i = blockIdx.x * 32 + tx;
  float sum = 0.0f;
  int k = tx;
  while (k < p + 31) {
    __syncthreads();  // fault: divergent-barrier
    if (k < p) cb[tx] = c[k + p * j];
    const int first = k - tx;
    __syncthreads();  // fault: divergent-barrier
    for (int e = 0; e < 32 && first + e < p; ++e)
      if (i < n) sum += b[i + n * (first + e)] * cb[e];
    k += 32;
  }
  if (i < n) a[i + n * j] = sum;
}
