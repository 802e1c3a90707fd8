/*---
title   = "Lanes take their places without an atomic"
problem = "copy"
idea    = "Every lane takes its place in the list by adding one to a shared counter with ordinary instructions: lanes read the same value."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 200
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int next;
  __shared__ int list[32];
  if (threadIdx.x == 0) next = 0;
  list[threadIdx.x] = threadIdx.x;
  __syncwarp();
  const int place = next;  // fault: race-warp
  next = place + 1;  // fault: race-warp
  __syncwarp();
  const int i = blockIdx.x * 32 + list[(place + threadIdx.x) % 32];
  if (i < N) out[i] = in[i];
}
