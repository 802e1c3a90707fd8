/*---
title   = "Unrolled eight by eight in 768 threads"
problem = "minplus"
idea    = "8 by 8 minima and their operands take about a hundred registers; 768 threads of that kind do not fit into one multiprocessor."
[launch]
block   = ["32", "24"]
grid    = ["ceil_div(N, 256)", "ceil_div(N, 192)"]
---*/

// size: 48
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {  // fault: launch-registers
  const int i0 = (blockIdx.y * 24 + threadIdx.y) * 8, j0 = (blockIdx.x * 32 + threadIdx.x) * 8;
  float least[8][8], x[8], y[8], x_next[8], y_next[8];
#pragma unroll
  for (int e = 0; e < 64; ++e) least[e / 8][e % 8] = 3e38f;
#pragma unroll
  for (int e = 0; e < 8; ++e) x[e] = i0 + e < N ? t[i0 + e] : 3e38f, y[e] = j0 + e < N ? d[j0 + e] : 3e38f;
  for (int k = 1; k <= N; ++k) {
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      x_next[e] = k < N && i0 + e < N ? t[k * N + i0 + e] : 3e38f;
      y_next[e] = k < N && j0 + e < N ? d[k * N + j0 + e] : 3e38f;
    }
#pragma unroll
    for (int e = 0; e < 64; ++e) least[e / 8][e % 8] = fminf(least[e / 8][e % 8], x[e / 8] + y[e % 8]);
#pragma unroll
    for (int e = 0; e < 8; ++e) x[e] = x_next[e], y[e] = y_next[e];
  }
#pragma unroll
  for (int e = 0; e < 64; ++e)
    if (i0 + e / 8 < N && j0 + e % 8 < N) r[(i0 + e / 8) * N + j0 + e % 8] = least[e / 8][e % 8];
}
