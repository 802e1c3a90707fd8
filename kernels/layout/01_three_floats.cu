/*---
title   = "A point of 12 bytes"
idea    = "A point is x, y and z: 12 bytes. No load is 12 bytes wide, and 4 is all that its address promises. So a point is three loads and three stores."
watch   = "Three loads, each over all 12 sectors of the warp's points: 36 sectors where 12 would do."
source  = "NVIDIA, CUDA lectures, 2007, coalescing: structures of size other than 4, 8 or 16 bytes"
show    = "in"
[problem]
sizes   = { N = 4096 }
buffers = [
  { name = "in", type = "float", count = "3 * N" },
  { name = "out", type = "float", count = "3 * N" },
]
check   = "out[i] == in[i] + 2"
[params]
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

struct Point {
  float x, y, z;
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
