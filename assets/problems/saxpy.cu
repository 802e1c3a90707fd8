/*---
title = "SAXPY"
what = "y[i] = a x[i] + y[i]"
multiply_adds = true
[problem]
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "count", "num"] } }
buffers = [{ name = "x", count = "N", also = ["X", "in", "A"] },
           { name = "y", count = "N", fill = "random", also = ["Y", "out", "B"] }]
scalars = [{ name = "a", value = 2.5, also = ["alpha", "A", "da"] }]
check   = "y[i] == a * x[i] + old(y)[i]"
operations = "2 * N"
[launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void saxpy(int N, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) y[i] = a * x[i] + y[i];
}
