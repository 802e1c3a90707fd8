/*---
title   = "A barrier in a grid-stride loop with a rounded bound"
problem = "reduce"
idea    = "Looks like a loop of each thread's own length, but its bound is tested with the first index of the block, so all make as many rounds."
[launch]
block   = ["64"]
grid    = ["4"]
---*/

// right
// size: 1003
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float v = 0.0f;
  for (int first = blockIdx.x * 64; first < N; first += gridDim.x * 64) {
    s[63 - t] = first + t < N ? in[first + t] : 0.0f;
    __syncthreads();
    v += s[t];
    __syncthreads();
  }
  atomicAdd(out, v);
}
