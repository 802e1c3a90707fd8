/*---
title   = "__ldg() of an element just written"
problem = "copy"
idea    = "The output is read back by __ldg(), whose cache need not see what the same launch has written."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 512
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= N) return;
  const float before = in[i];
  out[i] = before;  // fault: stale-read-only
  __syncwarp();
  const float after = __ldg(&out[i]);  // fault: stale-read-only
  if (after != before) out[i] = after;
}
