/*---
title   = "A cluster of 32 blocks"
problem = "reduce"
idea    = "A cluster of 32 blocks is more than any device allows: 8 are portable."
[launch]
block   = ["128"]
grid    = ["64"]
---*/

// size: 8192
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void __cluster_dims__(32, 1, 1)  // fault: launch-cluster
kernel(const float* in, float* out, int N) {
  float v = 0.0f;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < N; i += 8192) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
