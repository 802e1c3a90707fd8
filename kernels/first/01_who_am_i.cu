/*---
title   = "Who am I"
idea    = "A thread knows its place in its block and its block's place in the grid. Each writes both, as one number, to its own element."
watch   = "Element 300 holds 1044: block 1, thread 44. No two threads have the same element, and the 32 threads of a warp write neighbours."
source  = "NVIDIA, CUDA lectures, 2007, hands-on: launching kernels"
[problem]
sizes   = { N = 1000 }
buffers = [{ name = "out", type = "int", count = "N" }]
check   = "out[i] == 1000 * floor_div(i, BLOCK) + i % BLOCK"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = 1000 * block + thread, for the one block and thread that i belongs to.
extern "C" __global__ void kernel(int* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = 1000 * blockIdx.x + threadIdx.x;
}
