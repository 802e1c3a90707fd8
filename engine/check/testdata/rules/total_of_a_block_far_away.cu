/*---
title   = "A total that a block far away reads"
problem = "copy"
idea    = "Block b reads what block b - 6,001 wrote in this launch."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 1000000
__device__ float last[1 << 14];

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, b = blockIdx.x, i = b * 64 + t;
  if (t == 0) last[b] = in[i];  // fault: race-global
  const float other = b < 6001 ? 0 : last[b - 6001];  // fault: race-global
  if (i < N) out[i] = in[i] + 0 * other;
}
