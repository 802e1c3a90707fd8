/*---
title   = "A float4 of which the tail sets only some parts"
problem = "copy"
idea    = "In the tail only the parts inside the array are loaded, and then the sum of all four decides what is done."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 510
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = (blockIdx.x * 64 + threadIdx.x) * 4;
  float4 v;  // fault: uninitialized-register
  if (i + 3 < N) {
    v = *reinterpret_cast<const float4*>(in + i);
  } else {
    if (i < N) v.x = in[i];
    if (i + 1 < N) v.y = in[i + 1];
  }
  const float mean = (v.x + v.y + v.z + v.w) * 0.25f;
  if (mean > 1.0e20f) v.x = v.y = 0.0f;  // fault: uninitialized-register
  if (i < N) out[i] = v.x;  // fault: uninitialized-register
  if (i + 1 < N) out[i + 1] = v.y;  // fault: uninitialized-register
  if (i + 3 < N) out[i + 2] = v.z, out[i + 3] = v.w;
}
