/*---
title   = "The tree starts one step too high"
problem = "reduce"
idea    = "The distance starts at the whole block and not at half of it: s[t + 128] lies behind the shared array."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 600
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = blockDim.x; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];  // fault: out-of-bounds
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
