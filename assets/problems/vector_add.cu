/*---
title = "Vector addition"
what = "C[i] = A[i] + B[i]"
[problem]
sizes   = { N = { value = 1000003, also = ["size", "numElements", "length", "len", "count", "num", "total", "elements"] } }
buffers = [{ name = "A", count = "N", also = ["a", "x", "in1", "input1", "inp1", "left", "X"] },
           { name = "B", count = "N", also = ["b", "y", "in2", "input2", "inp2", "right", "Y"] },
           { name = "C", count = "N", also = ["c", "out", "output", "z", "sum", "res", "result", "Z"] }]
check   = "C[i] == A[i] + B[i]"
operations = "N"
[launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void vector_add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
