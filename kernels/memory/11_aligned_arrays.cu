/*---
title   = "Aligned arrays"
problem = "copy"
idea    = "A structure of arrays whose second and third array begin at multiples of 128 bytes, whatever the number of points is."
watch   = "12 sectors for the points of a warp at every N; chips of compute capability 1.0 and 1.1 need it, or each lane asks for itself."
source  = "CUDA C++ Programming Guide, device memory accesses; NVIDIA, CUDA lectures, structures of arrays and alignment"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, 3 * BLOCK)"]
---*/

// out[i] = in[i] for all i below N; x, y and z of point p are elements p, points + p and 2 points + p.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int point = blockIdx.x * BLOCK + threadIdx.x;
  const int points = ((N + 2) / 3 + 31) / 32 * 32;  // changed: room for whole lines; the last array may be shorter
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const int i = c * points + point;
    if (point < points && i < N) out[i] = in[i];
  }
}
