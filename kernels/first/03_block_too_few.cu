/*---
title   = "Increment, a block too few"
idea    = "The grid has N / BLOCK blocks, rounded down, so the tail has no thread of its own. A loop lets each thread take a further element, one grid of threads away."
watch   = "3 blocks of 256 threads do 1000 elements: block 0 comes back for the last 232. Any grid is right now, even one of a single block."
source  = "NVIDIA, CUDA lectures, 2007, increment array elements (its first host code rounds down); the loop is ours"
[problem]
sizes   = { N = 1000 }
buffers = [
  { name = "a", type = "float", count = "N" },
  { name = "out", type = "float", count = "N" },
]
scalars = [{ name = "b", type = "float", value = 1.5 }]
check   = "out[i] == a[i] + b"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["max(1, floor_div(N, BLOCK))"]
---*/

// out[i] = a[i] + b for all i below N, with any number of blocks.
extern "C" __global__ void kernel(const float* a, float* out, float b, int N) {
  const int threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += threads)  // changed: from if to for
    out[i] = a[i] + b;
}
