/*---
title   = "Aligned to 8 bytes"
idea    = "The same 8 bytes with __align__(8), as float2 has it. The promise costs nothing: not a byte is added."
watch   = "One load of 8 sectors in place of two with 16 together."
source  = "NVIDIA, CUDA lectures, 2007, coalescing: structures of size other than 4, 8 or 16 bytes; V. Kindratenko, NCSA, Introduction to GPU programming, part III, global memory access"
show    = "in"
[problem]
sizes   = { N = 4096 }
buffers = [
  { name = "in", type = "float", count = "2 * N" },
  { name = "out", type = "float", count = "2 * N" },
]
check   = "out[i] == in[i] + 2"
[params]
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

struct __align__(8) Point {  // changed
  float x, y;
};

// 2 is added to each coordinate of each of N points.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  Point point = reinterpret_cast<const Point*>(in)[i];
  point.x += 2.0f;
  point.y += 2.0f;
  reinterpret_cast<Point*>(out)[i] = point;
}
