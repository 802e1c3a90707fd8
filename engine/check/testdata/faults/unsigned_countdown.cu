/*---
title   = "An unsigned number is never below zero"
problem = "reduce"
idea    = "The loop runs while the unsigned distance is at least 0, which it always is."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 256
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  s[t + 128] = 0.0f;
  __syncthreads();
  for (unsigned d = 64; d >= 0; d >>= 1) {  // fault: endless-loop
    float v = 0.0f;
    if (t < d) v = s[t + d];
    __syncthreads();
    if (t < d) s[t] += v;
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
