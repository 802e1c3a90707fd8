/*---
title   = "continue before the increment"
problem = "copy"
idea    = "Elements equal to those before are skipped by continue, which skips the step of the loop as well."
[launch]
block   = ["64"]
grid    = ["2"]
---*/

// size: 300
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  int i = blockIdx.x * 64 + threadIdx.x;
  while (i < N) {  // fault: endless-loop
    const float v = *const_cast<const volatile float*>(in + i);
    out[i] = v;
    if (v < 0.0f) continue;  // fault: endless-loop
    i += 128;
  }
}
