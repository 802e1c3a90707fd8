/*---
title   = "The largest float by its bits"
problem = { sizes = { N = 4096 }, buffers = [{ name = "in", type = "float", count = "N" },
  { name = "out", type = "float", count = "1", fill = "-1000000" }], check = "out[0] == max(k, 0, N, in[k])" }
idea    = "Of two that are negative the bits of the lesser one are the larger number."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < N) atomicMax(reinterpret_cast<int*>(out), __float_as_int(in[i]));  // fault: wrong-with-other-data
}
