/*---
title   = "A point of 16 bytes"
idea    = "__align__(16): a point begins at a multiple of 16 bytes and takes up 16. Now one load brings all of it, and 4 bytes that nobody needs."
watch   = "One load of 16 sectors in place of three with 36 together. A third more memory is the price."
source  = "NVIDIA, CUDA lectures, 2007, coalescing: structures of size other than 4, 8 or 16 bytes; V. Kindratenko, NCSA, Introduction to GPU programming, part III, global memory access"
show    = "in"
[problem]
sizes   = { N = 4096 }
buffers = [
  { name = "in", type = "float", count = "4 * N" },
  { name = "out", type = "float", count = "4 * N" },
]
check   = "out[i] == in[i] + (i % 4 == 3 ? 0 : 2)"
[params]
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

struct __align__(16) Point {  // changed
  float x, y, z, unused;  // named, so that it travels with the rest: for a nameless gap the compiler adds a load
};

// 2 is added to each coordinate of each of N points.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  Point point = reinterpret_cast<const Point*>(in)[i];
  point.x += 2.0f;
  point.y += 2.0f;
  point.z += 2.0f;
  reinterpret_cast<Point*>(out)[i] = point;
}
