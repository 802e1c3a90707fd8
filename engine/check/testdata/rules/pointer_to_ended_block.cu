/*---
title   = "A pointer into a block that has ended"
problem = "copy"
idea    = "held lives between its braces; behind them its place may be another variable."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float* from = nullptr;
  if (i < N) {
    float held[2] = {in[i], 0.0f};
    from = held;
  }
  if (i < N) out[i] = from[0];  // fault: use-after-scope
}
