/*---
title   = "The last block moved back over the one before"
problem = "copy"
idea    = "Looks like a race between blocks: the last block begins earlier so that it is full, and stores some elements again, with the same values."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int first = max(0, min(static_cast<int>(blockIdx.x) * 128, N - 128));
  const int i = first + threadIdx.x;
  if (i < N) {
    out[i] = in[i];
  }
}
