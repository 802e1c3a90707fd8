/*---
title = "Matrix times vector"
what = "y = A x, A row-major M x N"
multiply_adds = true
[problem]
sizes   = { M = { value = 1024, also = ["rows", "m", "num_rows", "height"] }, N = { value = 1024, also = ["cols", "columns", "n", "num_cols", "width"] } }
buffers = [{ name = "A", shape = ["M", "N"], also = ["a", "mat", "matrix", "W"] }, { name = "x", count = "N", also = ["X", "vec", "b", "B", "in", "v"] },
           { name = "y", count = "M", also = ["Y", "out", "c", "C", "result", "res", "output"] }]
scalars = [{ name = "alpha", value = 1 }, { name = "beta", value = 0 }, { name = "lda", value = "N" }]
check   = "y[i] == sum(k, 0, N, A[i, k] * x[k])"
operations = "2 * M * N"
[launch]
block = [256]
grid  = ["ceil_div(M, 256)"]
---*/
extern "C" __global__ void gemv(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < N; ++k) sum += A[row * N + k] * x[k];
  y[row] = sum;
}
