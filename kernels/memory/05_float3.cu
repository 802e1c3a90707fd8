/*---
title   = "Array of structures"
problem = "copy"
idea    = "Elements in threes are points (x, y, z), and each thread copies one point: its lanes' loads of x stand 12 bytes apart."
watch   = "Each of the three loads touches all 12 sectors of the warp's points and uses a third of each. L1 keeps them for the next load, but the sectors are asked for three times."
source  = "NVIDIA, CUDA lectures, coalescing: float3; CUDA C++ Programming Guide, device memory accesses"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 3 * BLOCK)"]
---*/

// out[i] = in[i] for all i below N; point p is elements 3p, 3p + 1 and 3p + 2.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int x = 3 * (blockIdx.x * BLOCK + threadIdx.x);  // changed: a point a thread
#pragma unroll
  for (int c = 0; c < 3; ++c)
    if (x + c < N) out[x + c] = in[x + c];
}
