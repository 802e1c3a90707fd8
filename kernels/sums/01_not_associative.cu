/*---
title   = "Not associative"
idea    = "Even threads add (x + y) + z, odd threads x + (y + z), with the lecture's x = 10^30, y = -10^30 and z = 1."
watch   = "Every even element is 1, every odd one 0. Neither is a fault: each addition is rounded correctly."
source  = "NVIDIA, CUDA lectures, 2007, FP math is not associative"
[problem]
sizes   = { N = 1024 }
buffers = [{ name = "out", type = "float", count = "N" }]
scalars = [
  { name = "x", type = "float", value = "10^30" },
  { name = "y", type = "float", value = "-(10^30)" },
  { name = "z", type = "float", value = 1.0 },
]
check   = "out[i] == (i % 2 == 0 ? 1 : 0)"
operations = "2 * N"
[params]
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = the same three numbers added up, in two orders.
extern "C" __global__ void kernel(float* out, float x, float y, float z, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = i % 2 == 0 ? (x + y) + z : x + (y + z);
}
