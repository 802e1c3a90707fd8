/*---
title = "Inclusive scan"
what = "out[i] = the sum of in[0] to in[i]"
[problem]
sizes   = { N = { value = 1024, also = ["size", "length", "len", "n", "count", "num", "InputSize"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "X", "x", "A", "a", "data"] },
           { name = "out", count = "N", also = ["odata", "output", "Y", "y", "B", "b", "result"] }]
check   = "out[i] == sum(k, 0, i + 1, in[k])"
operations = "N - 1"
[launch]
block   = [256]
grid    = [1]
---*/
extern "C" __global__ void scan(const float* in, float* out, int N) {
  __shared__ float part[256];
  float carry = 0;
  for (int base = 0; base < N; base += 256) {
    int i = base + threadIdx.x;
    float value = i < N ? in[i] : 0;
    part[threadIdx.x] = value;
    for (int stride = 1; stride < 256; stride *= 2) {
      __syncthreads();
      float before = threadIdx.x >= stride ? part[threadIdx.x - stride] : 0;
      __syncthreads();
      value += before;
      part[threadIdx.x] = value;
    }
    __syncthreads();
    if (i < N) out[i] = carry + value;
    carry += part[255];
    __syncthreads();
  }
}
