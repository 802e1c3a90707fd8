/*---
title   = "A halo that is read and thrown away"
problem = "copy"
idea    = "Looks like a use of uninitialised shared memory, but what the first thread reads to its left is thrown away by a select and reaches nothing."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 700
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[65];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i < N) s[t + 1] = in[i];
  __syncthreads();
  const float left = s[t];
  const float own = i < N ? s[t + 1] : 0.0f;
  const float usable = t == 0 ? own : left;
  const float smaller = t == 0 ? own : fminf(own, fmaxf(own, usable));
  if (i < N) out[i] = smaller;
}
