/*---
title   = "First counted, then stored"
problem = "reduce"
idea    = "The block is counted as finished before its sum is stored; the fence between the two orders them the wrong way round."
[launch]
block   = ["128"]
grid    = ["5"]
---*/

// size: 2000
__device__ float partial[5];
__device__ unsigned arrived;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  float v = 0.0f;
  for (int i = blockIdx.x * 128 + t; i < N; i += 640) v += in[i];
  s[t] = v;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    const bool last = atomicInc(&arrived, 4u) == 4u;
    __threadfence();
    partial[blockIdx.x] = s[0];  // fault: race-global
    if (last) {
      v = 0.0f;
      for (int b = 0; b < 5; ++b) v += partial[b];  // fault: race-global
      *out = v;
    }
  }
}
