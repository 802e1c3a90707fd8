/*---
title   = "Threads with nothing to add skip the barrier"
problem = "reduce"
idea    = "Threads whose element is zero or outside skip the whole part with the barrier, which makes it depend on the data."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 2000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  const float v = i < N ? in[i] : 0.0f;
  s[t] = v;
  __syncthreads();
  if (v != 0.0f) {
    if (t % 4 == 0) s[t] += s[t + 1] + s[t + 2] + s[t + 3];
    __syncthreads();  // fault: divergent-barrier
  }
  float sum = t % 4 == 0 ? s[t] : 0.0f;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) atomicAdd(out, sum);
}
