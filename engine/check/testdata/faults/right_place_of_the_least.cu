/*---
title   = "The place of the least value"
problem = "minplus"
idea    = "Looks like an unset register: the least is compared before it was set, where the place says that there is none."
[launch]
block = ["16", "16"]
grid = ["ceil_div(N,16)", "ceil_div(N,16)"]
---*/

// right
extern "C" __global__ void mp(const float* d, const float* t, float* r, int N) {
  int i = blockIdx.y*16+threadIdx.y, j = blockIdx.x*16+threadIdx.x;
  if (i >= N || j >= N) return;
  float best; int arg = -1;
  for (int k = 0; k < N; k++) { float x = d[i*N+k]+d[k*N+j]; if (arg < 0 || x < best) { best = x; arg = k; } }
  r[i*N+j] = d[i*N+arg]+d[arg*N+j];
}
