/*---
title = "Matrix transpose"
what = "out[N][M] from in[M][N], row-major"
[problem]
sizes   = { M = { value = 1024, also = ["rows", "height", "ny", "m"] }, N = { value = 1024, also = ["columns", "cols", "width", "nx", "n"] } }
buffers = [{ name = "in", shape = ["M", "N"], also = ["idata", "input", "inp", "A", "a", "src", "x"] },
           { name = "out", shape = ["N", "M"], also = ["odata", "output", "B", "b", "At", "dst", "y", "T", "C"] }]
check   = "out[row, column] == in[column, row]"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void transpose(const float* in, float* out, int M, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) out[column * M + row] = in[row * N + column];
}
