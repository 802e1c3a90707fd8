/*---
title   = "Shuffles among the lanes that a vote has found"
problem = "reduce"
idea    = "Looks like shuffles in a divergent branch, but the mask is the vote of exactly the lanes that enter it, and each reads from one of them."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// right
// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 96 + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffffu, i < N);
  if (i < N) {
    const int count = __popc(inside);  // lanes 0 to count - 1
    float v = in[i];
    for (int d = 16; d > 0; d >>= 1) {
      const float other = __shfl_sync(inside, v, min(lane + d, count - 1));
      if (lane + d < count && lane < d) v += other;
    }
    if (lane == 0) atomicAdd(out, v);
  }
}
