/*---
title   = "Neighbours exchanged in place, in phases"
problem = "copy"
idea    = "Looks like an exchange in place that races, but in each phase a pair belongs to one thread, and a barrier parts the phases."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 512
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int phase = 0; phase < 2; ++phase) {
    if (t % 2 == 0) {
      const float a = s[t], b = s[t + 1];
      s[t] = b;
      s[t + 1] = a;
    }
    __syncthreads();
  }
  if (i < N) out[i] = s[t];
}
