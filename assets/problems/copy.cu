/*---
title = "Copy"
what = "out[i] = in[i]"
[problem]
sizes   = { N = { value = 1048576, also = ["size", "length", "len", "n", "count", "num"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "A", "a", "src", "x", "X"] },
           { name = "out", count = "N", also = ["odata", "output", "B", "b", "dst", "y", "C", "c", "Y"] }]
check   = "out[i] == in[i]"
[launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void copy(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = in[i];
}
