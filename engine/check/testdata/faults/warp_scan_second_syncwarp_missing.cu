/*---
title   = "A warp's scan with one __syncwarp() a step"
problem = "reduce"
idea    = "Each step waits after its store but not between the read and the store: a lane may overwrite what the lane to its right has yet to read."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 500
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, lane = t % 32;
  const int i = blockIdx.x * 64 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    const float left = lane >= d ? s[t - d] : 0.0f;  // fault: race-warp
    s[t] += left;  // fault: race-warp
    __syncwarp();
  }
  if (lane == 31) atomicAdd(out, s[t]);
}
