/*---
title = "Five-point stencil"
what = "out[i][j] = the mean of the four neighbours within; the border stays as in"
[problem]
sizes   = { M = { value = 500, also = ["height", "rows", "ny", "m"] }, N = { value = 500, also = ["width", "cols", "columns", "nx", "n"] } }
buffers = [{ name = "in", shape = ["M", "N"], also = ["input", "inp", "u", "A", "a", "old_grid", "T", "src"] },
           { name = "out", shape = ["M", "N"], also = ["output", "unew", "u_new", "B", "b", "new_grid", "Tnew", "dst"] }]
check   = "out[row, column] == (row > 0 && row < M - 1 && column > 0 && column < N - 1 ? 0.25 * (in[row - 1, column] + in[row + 1, column] + in[row, column - 1] + in[row, column + 1]) : in[row, column])"
operations = "4 * M * N"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void stencil(const float* in, float* out, int M, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  int i = row * N + column;
  bool inside = row > 0 && row < M - 1 && column > 0 && column < N - 1;
  out[i] = inside ? 0.25f * (in[i - N] + in[i + N] + in[i - 1] + in[i + 1]) : in[i];
}
