/*---
title   = "A mask taken before the branch"
problem = "copy"
idea    = "The mask of the active lanes is taken before the branch and used in it, where fewer lanes are left."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 200
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const unsigned all = __activemask();
  float v = 0.0f;
  bool any = false;
  if (i < N && threadIdx.x % 32 < 20) {
    v = in[i];
    any = __any_sync(all, v > 2.0f);  // fault: mask-without-caller
  } else if (i < N) {
    v = in[i];
    __syncwarp(all & 0xfff00000u);
  }
  if (i < N) out[i] = any ? -v : v;
}
