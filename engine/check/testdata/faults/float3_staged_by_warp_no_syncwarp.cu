/*---
title   = "Points staged by a warp, no __syncwarp()"
problem = "copy"
idea    = "A warp stages 96 floats for itself and each lane picks three of them that other lanes have stored: __syncwarp() is missing between the two."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 192)"]
---*/

// size: 960
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float stage[2][96];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = blockIdx.x * 192 + warp * 96;
  for (int c = 0; c < 3; ++c) {
    const int i = first + c * 32 + lane;
    stage[warp][c * 32 + lane] = i < N ? in[i] : 0.0f;  // fault: race-warp
  }
  for (int c = 0; c < 3; ++c) {
    const int i = first + 3 * lane + c;
    if (i < N) out[i] = stage[warp][3 * lane + c];  // fault: race-warp
  }
}
