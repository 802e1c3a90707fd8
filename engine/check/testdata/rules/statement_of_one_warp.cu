/*---
title   = "The last warp adds in one statement"
problem = "reduce"
idea    = "Its lanes need __syncwarp(), and the other warps are not there."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 2000
// says: read it into a variable, put __syncwarp(), and write behind that
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ volatile float s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 128; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    s[t] += s[t + 32];
    for (int d = 16; d > 0; d /= 2) s[t] += s[t + d];  // fault: race-warp
    if (t == 0) atomicAdd(out, s[0]);
  }
}
