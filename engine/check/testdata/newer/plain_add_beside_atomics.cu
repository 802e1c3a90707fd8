/*---
title   = "Half of the threads add without an atomic"
problem = "reduce"
idea    = "An atomic is one only among atomics."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sum;
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t == 0) sum = 0.0f;
  __syncthreads();
  const float v = i < N ? in[i] : 0.0f;
  if (t < 64) atomicAdd(&sum, v);  // fault: race-shared
  else sum += v;  // fault: race-shared  // fault: race-warp
  __syncthreads();
  if (t == 0) atomicAdd(out, sum);
}
