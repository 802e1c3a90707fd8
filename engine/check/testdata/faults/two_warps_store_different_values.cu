/*---
title   = "Two warps store to the same shared elements"
problem = "copy"
idea    = "The index into shared memory lacks the warp's number: both warps of the block store their elements to the same 32 places."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 512
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * 64 + threadIdx.x;
  s[lane] = i < N ? in[i] : 0.0f;  // fault: race-shared
  __syncwarp();
  const float v = s[lane];  // fault: race-shared
  if (i < N) out[i] = v;
}
