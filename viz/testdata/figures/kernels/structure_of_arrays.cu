/*---
title   = "Structure of arrays"
problem = "copy"
idea    = "The same points kept as three arrays, all x, then all y, then all z: each of a thread's three accesses is a coalesced one."
watch   = "12 sectors for the points of a warp where the array of structures asks for 36; 14 where N / 3 is no multiple of 8 and arrays start between sectors."
source  = "CUDA C++ Programming Guide, device memory accesses; NVIDIA, CUDA lectures, structures of arrays"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 3 * BLOCK)"]
---*/

// out[i] = in[i] for all i below N; x, y and z of point p are elements p, points + p and 2 points + p.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int point = blockIdx.x * BLOCK + threadIdx.x;
  const int points = (N + 2) / 3;  // the last array may be shorter
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const int i = c * points + point;  // changed: lanes are neighbours in each of the three arrays
    if (point < points && i < N) out[i] = in[i];
  }
}
