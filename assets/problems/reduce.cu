/*---
title = "Sum of a vector"
what = "out[0] = the sum of in; out starts at zero"
[problem]
sizes   = { N = { value = 1048576, also = ["size", "length", "len", "n", "count", "num"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "A", "a", "x", "data", "X"] },
           { name = "out", count = "1", fill = "zero", also = ["odata", "output", "sum", "result", "res", "B", "b", "y", "total", "C"] }]
check   = "out[0] == sum(k, 0, N, in[k])"
operations = "N - 1"
[launch]
block = [256]
grid  = [32]
---*/
extern "C" __global__ void reduce(const float* in, float* out, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
