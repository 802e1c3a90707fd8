/*---
title   = "The largest, looked at and then set"
problem = { sizes = { N = 4096 }, buffers = [{ name = "in", type = "int", count = "N", fill = "random(0, 1000000)" },
  { name = "out", type = "int", count = "1", fill = "zero" }], check = "out[0] == max(k, 0, N, in[k])" }
idea    = "Between the look and the store another thread may store a larger one."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// says: change it in one step: atomicMax(&out[0], ...)
extern "C" __global__ void kernel(const int* in, int* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < N && in[i] > *out) *out = in[i];  // fault: race-global
}
