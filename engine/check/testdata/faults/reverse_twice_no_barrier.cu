/*---
title   = "A block turned around without a barrier"
problem = "copy"
idea    = "The block stores its elements in reverse and reads them forward without waiting: the reader belongs to another warp than the writer."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1500
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float turned[256];
  const int first = blockIdx.x * 256, t = threadIdx.x;
  const int from = first + t;
  if (from < N) turned[255 - t] = in[from];  // fault: race-shared
  const int to = first + 255 - t;
  if (to < N) out[to] = turned[t];  // fault: race-shared
}
