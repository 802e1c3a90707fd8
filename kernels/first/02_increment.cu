/*---
title   = "Increment, with a guard"
idea    = "One thread for each element, and enough blocks: N / BLOCK, rounded up. The last block has more threads than there are elements left."
watch   = "Show the last block: past N the guard keeps its lanes out. With N / BLOCK rounded down the last elements would have no thread at all."
source  = "NVIDIA, CUDA lectures, 2007, increment array elements"
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
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = a[i] + b for all i below N.
extern "C" __global__ void kernel(const float* a, float* out, float b, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = a[i] + b;
}
