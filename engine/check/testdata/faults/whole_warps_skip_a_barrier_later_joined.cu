/*---
title   = "Warps pair off at different barriers"
problem = "reduce"
idea    = "Warp 0 and the other warps wait at different barriers, which the hardware counts as one: elements are read while they are stored."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const float v = i < N ? in[i] : 0.0f;
  if (t < 32) {
    s[t] = v;
    __syncthreads();  // fault: divergent-barrier
    float sum = s[t] + s[t + 32] + s[t + 64] + s[t + 96];  // fault: race-shared
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (t == 0) atomicAdd(out, sum);
    __syncthreads();  // fault: divergent-barrier
  } else {
    if (i < 0) s[t] = 0.0f;
    __syncthreads();  // fault: divergent-barrier
    s[t] = v;  // fault: race-shared
    __syncthreads();  // fault: divergent-barrier
  }
}
