/*---
title   = "Vector addition"
idea    = "Two arrays in, one out: thread i adds element i of both."
watch   = "Two loads and a store for one addition: 12 bytes for one operation. Memory decides how long this takes."
source  = "CUDA C++ Programming Guide, kernels; NVIDIA, CUDA lectures, 2007"
[problem]
sizes   = { N = 1000 }
buffers = [
  { name = "a", type = "float", count = "N" },
  { name = "b", type = "float", count = "N" },
  { name = "c", type = "float", count = "N" },
]
check   = "c[i] == a[i] + b[i]"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// c[i] = a[i] + b[i] for all i below N.
extern "C" __global__ void kernel(const float* a, const float* b, float* c, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) c[i] = a[i] + b[i];
}
