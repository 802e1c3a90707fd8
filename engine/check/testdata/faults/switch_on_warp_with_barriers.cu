/*---
title   = "Each warp has its own number of barriers"
problem = "copy"
idea    = "A switch on the warp's number gives the third warp one barrier more than the others have; only their end lets it go on."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// size: 700
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[96];
  const int t = threadIdx.x, i = blockIdx.x * 96 + t;
  s[t] = i < N ? in[i] : 0.0f;
  switch (t / 32) {
    case 0: __syncthreads(); break;  // fault: divergent-barrier
    case 1: __syncthreads(); break;  // fault: divergent-barrier
    default:
      __syncthreads();  // fault: divergent-barrier
      __syncthreads();  // fault: divergent-barrier
  }
  const int u = (t + 32) % 96, j = blockIdx.x * 96 + u;
  if (j < N) out[j] = s[u];
}
