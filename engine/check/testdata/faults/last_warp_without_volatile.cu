/*---
title   = "The last warp without volatile or __syncwarp()"
problem = "reduce"
idea    = "The last warp adds without any synchronisation: lanes may run apart since compute capability 7.0, and the compiler may keep values in registers."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];  // fault: race-warp
    s[t] += s[t + 16];  // fault: race-warp
    s[t] += s[t + 8];   // fault: race-warp
    s[t] += s[t + 4];   // fault: race-warp
    s[t] += s[t + 2];   // fault: race-warp
    s[t] += s[t + 1];   // fault: race-warp
  }
  if (t == 0) atomicAdd(out, s[0]);
}
