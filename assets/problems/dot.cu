/*---
title = "Dot product"
what = "out[0] = the sum of x[i] y[i]; out starts at zero"
multiply_adds = true
[problem]
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "count", "num"] } }
buffers = [{ name = "x", count = "N", also = ["a", "A", "X", "in1"] }, { name = "y", count = "N", also = ["b", "B", "Y", "in2"] },
           { name = "out", count = "1", fill = "zero", also = ["c", "C", "result", "res", "sum", "dot", "r"] }]
check   = "out[0] == sum(k, 0, N, x[k] * y[k])"
operations = "2 * N"
[launch]
block = [256]
grid  = [32]
---*/
extern "C" __global__ void dot(const float* x, const float* y, float* out, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
