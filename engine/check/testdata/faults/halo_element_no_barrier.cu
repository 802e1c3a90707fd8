/*---
title   = "A halo read before the block has met"
problem = "copy"
idea    = "Each thread reads the shared element that its right neighbour loaded, and at the edges of warps that neighbour is in another warp: a barrier is missing."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 2000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[129];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  // s[t] holds the element to the left of thread t, s[128] the last one of the block.
  s[t] = i >= 1 && i - 1 < N ? in[i - 1] : 0.0f;  // fault: race-shared
  if (t == 127) s[128] = i < N ? in[i] : 0.0f;
  __syncwarp();
  if (i < N) out[i] = s[t + 1];  // fault: race-shared
}
