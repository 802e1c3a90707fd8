/*---
title   = "A row staged by each warp, one __syncwarp() missing"
problem = "minplus"
idea    = "Each warp stages its row of d for itself and waits after the store, but not before the next store: lanes that are ahead replace what others still read."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(N, 4)"]
---*/

// size: 37
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float row[4][32];
  const int lane = threadIdx.x, w = threadIdx.y;
  const int i = blockIdx.y * 4 + w, j = blockIdx.x * 32 + lane;
  float least = 1.0e30f;
  for (int k0 = 0; k0 < N; k0 += 32) {
    row[w][lane] = i < N && k0 + lane < N ? d[i * N + k0 + lane] : 1.0e30f;  // fault: race-warp
    __syncwarp();
    for (int k = 0; k < 32 && k0 + k < N; ++k) {
      const float y = j < N ? d[(k0 + k) * N + j] : 1.0e30f;
      least = fminf(least, row[w][k] + y);  // fault: race-warp
    }
  }
  if (i < N && j < N) r[i * N + j] = least;
}
