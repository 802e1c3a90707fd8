/*---
title   = "A guarded tree in a block of one warp"
problem = "reduce"
idea    = "Looks as if lanes read what others store in the same step, but only lanes below d store, and only places from d on are read by others."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// right
// size: 300
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  s[t] = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) {
    __syncwarp();
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) atomicAdd(out, s[0]);
}
