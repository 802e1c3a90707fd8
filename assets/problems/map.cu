/*---
title = "Elementwise map"
what = "out[i] is made of in[i] alone; say how with check"
[own_check]
check = "out[i] == max(in[i], 0)"
[problem]
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "count", "num"] } }
buffers = [{ name = "in", count = "N", also = ["inp", "input", "x", "X", "A", "a"] },
           { name = "out", count = "N", output = true, also = ["output", "y", "Y", "B", "b", "C", "c"] }]
none    = "map does not say which function: add check = \"out[i] == ...\" to [problem]"
[launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void map(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = in[i] > 0 ? in[i] : 0;
}
