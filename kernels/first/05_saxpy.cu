/*---
title   = "SAXPY"
idea    = "alpha x + y, into a third array: a number that is the same for all threads comes as an argument."
watch   = "A multiplication more than the vector addition, and not a byte more: the two become one multiply-add instruction."
source  = "BLAS level 1; NVIDIA, CUDA lectures, 2007"
[problem]
sizes   = { N = 1000 }
buffers = [
  { name = "x", type = "float", count = "N" },
  { name = "y", type = "float", count = "N" },
  { name = "z", type = "float", count = "N" },
]
scalars = [{ name = "alpha", type = "float", value = 2.5 }]
check   = "z[i] == alpha * x[i] + y[i]"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// z[i] = alpha * x[i] + y[i] for all i below N.
extern "C" __global__ void kernel(float alpha, const float* x, const float* y, float* z, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = alpha * x[i] + y[i];
}
