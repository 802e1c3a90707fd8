/*---
title   = "A point of 8 bytes"
idea    = "x and y alone are 8 bytes, and there is a load of 8 bytes. But two floats side by side may begin at any multiple of 4, so the compiler may not use it."
watch   = "Two loads, each over all 8 sectors of the warp's points."
source  = "NVIDIA, CUDA lectures, 2007, coalescing: structures of size other than 4, 8 or 16 bytes"
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

struct Point {
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
