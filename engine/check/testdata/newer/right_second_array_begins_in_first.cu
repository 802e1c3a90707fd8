/*---
title   = "The second dynamic array begins inside the first, right"
problem = "copy"
idea    = "It begins at element 64 of the first one, which has 128."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
shared  = "1024"
---*/

// right
// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  extern __shared__ float s[];
  float* first = s;
  float* second = s + 128;
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  first[t] = i < N ? in[i] : 0.0f;
  second[t] = -1.0f;
  __syncthreads();
  if (i < N) out[i] = first[t] + 0.0f * second[127 - t];
}
