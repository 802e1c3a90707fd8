/*---
title   = "Circular shift"
idea    = "Each element moves SHIFT places towards the beginning; what falls off there comes in again at the end. A thread reads another place than it writes."
watch   = "The store is aligned, the load begins SHIFT floats later: a sector more, unless SHIFT is a multiple of 8. The last warps jump back to the beginning."
source  = "NVIDIA, CUDA lectures, 2007, hands-on: circular shift"
show    = "in"
[problem]
sizes   = { N = 1000 }
buffers = [
  { name = "in", type = "float", count = "N" },
  { name = "out", type = "float", count = "N" },
]
check   = "out[i] == in[((i + SHIFT) % N + N) % N]"
[params]
SHIFT = { default = 5, values = [-100, -1, 0, 1, 5, 8, 32, 100], meaning = "places towards the beginning; negative: towards the end" }
BLOCK = { default = 256, values = [32, 64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = in[(i + SHIFT) % N] for all i below N, around both ends.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int shift = (SHIFT % N + N) % N;  // 0 to N - 1: % of a negative number is negative
  const int from = i + shift < N ? i + shift : i + shift - N;
  if (i < N) out[i] = in[from];
}
