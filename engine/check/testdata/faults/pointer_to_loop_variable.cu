/*---
title   = "The address of a loop's own variable kept"
problem = "minplus"
idea    = "The best candidate is remembered by the address of a variable of the loop's body, which ends with each round."
[launch]
block   = ["16", "4"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 4)"]
---*/

// size: 16
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
  if (i >= N || j >= N) return;
  const float* best = nullptr;
#pragma unroll 1
  for (int k = 0; k < N; ++k) {
    float pair[2];
    pair[k & 1] = d[i * N + k] + d[k * N + j];
    pair[(k & 1) ^ 1] = d[i * N + k];
    if (best == nullptr || pair[k & 1] < *best) best = &pair[k & 1];  // fault: use-after-scope // fault: wrong-result
  }
  r[i * N + j] = *best;  // fault: use-after-scope // fault: wrong-result
}
