/*---
title   = "The tail of a vectorized copy forgotten"
problem = "copy"
idea    = "N / 4 float4 are copied, and the up to three elements behind them are not."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1003
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const float4* from = reinterpret_cast<const float4*>(in);
  float4* to = reinterpret_cast<float4*>(out);
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < N / 4) {  // fault: unwritten-output
    to[i] = from[i];
  }
}
