/*---
title   = "Dynamic shared memory for one array of two"
problem = "copy"
idea    = "The launch asks for 512 bytes, and two arrays of 128 floats have 1,024."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
shared  = "512"
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  extern __shared__ float s[];
  float* first = s;
  float* second = s + 128;
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  first[t] = i < N ? in[i] : 0.0f;
  second[t] = -1.0f;  // fault: out-of-bounds
  __syncthreads();
  if (i < N) out[i] = first[t] + 0.0f * second[127 - t];
}
