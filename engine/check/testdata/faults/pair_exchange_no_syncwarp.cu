/*---
title   = "Neighbours exchange through shared memory"
problem = "copy"
idea    = "Each lane stores for its neighbour and reads what the neighbour stored in the next statement: between the two __syncwarp() is missing."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 640
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  s[t ^ 1] = i < N ? in[i] : 0.0f;  // fault: race-warp
  const float v = s[t];  // fault: race-warp
  if (i < N) out[i] = v;
}
