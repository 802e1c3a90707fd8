/*---
title   = "A float4 copy without a tail"
problem = "copy"
idea    = "All is moved as float4: right while N is a multiple of four, past the end otherwise."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 512)"]
---*/

// size: 1024
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (4 * i < N) {
    const float4 v = reinterpret_cast<const float4*>(in)[i];  // fault: wrong-at-odd-size
    reinterpret_cast<float4*>(out)[i] = v;  // fault: wrong-at-odd-size
  }
}
