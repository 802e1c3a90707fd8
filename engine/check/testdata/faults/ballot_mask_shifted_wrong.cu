/*---
title   = "A mask of the wrong group of lanes"
problem = "copy"
idea    = "Lanes work in groups of 8 and the mask is shifted by the group's number in place of eight times that number: most lanes are not in it."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 256
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned mask = 0xffu << (lane / 8);
  const float v = i < N ? in[i] : 0.0f;
  const unsigned positive = __ballot_sync(mask, v > 0.0f);  // fault: mask-without-caller
  if (i < N) out[i] = __popc(positive) > 32 ? 0.0f : v;
}
