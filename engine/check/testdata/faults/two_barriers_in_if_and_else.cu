/*---
title   = "One barrier in the if, another in the else"
problem = "copy"
idea    = "Even and odd lanes wait at two different barriers of an if and its else, which is not one barrier for all."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 500
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const float v = i < N ? in[i] : 0.0f;
  if (t % 2 == 0) {
    s[t + 1] = v;
    __syncthreads();  // fault: divergent-barrier
    if (i < N) out[i] = s[t + 1];
  } else {
    s[t - 1] = v;
    __syncthreads();  // fault: divergent-barrier
    if (i < N) out[i] = s[t - 1];
  }
}
