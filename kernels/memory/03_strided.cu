/*---
title   = "Strided copy"
problem = "copy"
idea    = "Neighbouring lanes copy elements STRIDE apart, as along a column of a matrix STRIDE wide; the elements between are left to threads far away."
watch   = "STRIDE times 4 sectors, up to 32, for the same 128 bytes: at 8 each lane has a sector of its own. The others of a sector are fetched again later."
source  = "CUDA C++ Best Practices Guide, strided accesses"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
STRIDE = { default = 2, values = [1, 2, 3, 4, 8, 16, 32], meaning = "elements from one lane to the next" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(round_up(N, STRIDE), BLOCK)"]
---*/

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int thread = blockIdx.x * BLOCK + threadIdx.x;
  const int rows = (N + STRIDE - 1) / STRIDE;             // the vector as a matrix, STRIDE wide
  const int i = thread % rows * STRIDE + thread / rows;  // changed: threads walk down its columns
  if (thread / rows < STRIDE && i < N) out[i] = in[i];
}
