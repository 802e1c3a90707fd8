/*---
title   = "A ballot with a full mask in a branch"
problem = "reduce"
idea    = "Lanes with positive elements vote under a full mask inside the branch; the lanes with negative ones vote elsewhere."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// size: 480
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 96 + threadIdx.x;
  const float v = i < N ? in[i] : 0.0f;
  int voters = 0;
  if (v > 0.0f) {
    voters = __popc(__ballot_sync(0xffffffffu, v > 0.5f));  // fault: mask-without-caller // fault: deadlock
  } else {
    voters = -__popc(__ballot_sync(0xffffffffu, v < -0.5f));  // fault: mask-without-caller // fault: deadlock
  }
  atomicAdd(out, voters > 99 ? 0.0f : v);
}
