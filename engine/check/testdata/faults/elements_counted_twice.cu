/*---
title   = "Every second block counted twice"
problem = "reduce"
idea    = "The grid has a block for each 128 elements, as before each thread added two: every element but the first block's is added twice."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;  // fault: wrong-result
  s[t] = (i < N ? in[i] : 0.0f) + (i + 128 < N ? in[i + 128] : 0.0f);  // fault: wrong-result
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
