/*---
title = "Exclusive scan"
what = "out[i] = the sum of in[0] to in[i - 1], out[0] = 0"
[problem]
sizes   = { N = { value = 1024, also = ["size", "length", "len", "n", "count", "num", "InputSize"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "X", "x", "A", "a", "data"] },
           { name = "out", count = "N", also = ["odata", "output", "Y", "y", "B", "b", "result"] }]
check   = "out[i] == sum(k, 0, i, in[k])"
operations = "N - 1"
[launch]
block   = [32]
grid    = [1]
---*/
extern "C" __global__ void scan_exclusive(const float* in, float* out, int N) {
  float carry = 0;
  for (int base = 0; base < N; base += 32) {
    int i = base + threadIdx.x;
    float own = i < N ? in[i] : 0, value = own;
    for (int stride = 1; stride < 32; stride *= 2) {
      float before = __shfl_up_sync(0xffffffff, value, stride);
      if (threadIdx.x >= stride) value += before;
    }
    if (i < N) out[i] = carry + value - own;
    carry += __shfl_sync(0xffffffff, value, 31);
  }
}
