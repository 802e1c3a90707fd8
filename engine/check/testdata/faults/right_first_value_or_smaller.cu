/*---
title   = "The first value, or a smaller one"
problem = "minplus"
idea    = "Looks like an unset register: the least is compared before it was set, where the result is known without it."
[launch]
block = ["16", "16"]
grid = ["ceil_div(N,16)", "ceil_div(N,16)"]
---*/

// right
extern "C" __global__ void mp(const float* d, const float* t, float* r, int N) {
  int i = blockIdx.y*16+threadIdx.y, j = blockIdx.x*16+threadIdx.x;
  if (i >= N || j >= N) return;
  float best; bool have = false;
  for (int k = 0; k < N; k++) { float x = d[i*N+k]+d[k*N+j]; if (!have || x < best) { best = x; have = true; } }
  r[i*N+j] = best;
}
