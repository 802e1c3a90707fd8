/*---
title = "Shortcuts of two steps"
what = "r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed"
[problem]
sizes   = { N = { value = 512, also = ["n"] } }
buffers = [{ name = "d", shape = ["N", "N"] }, { name = "r", shape = ["N", "N"], output = true }]
check   = "r[row, column] == min(k, 0, N, d[row, k] + d[k, column])"
operations = "2 * N * N * N"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/
extern "C" __global__ void minplus(const float* d, const float* t, float* r, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N || column >= N) return;
  float least = INFINITY;
  for (int k = 0; k < N; ++k) least = fminf(least, d[row * N + k] + d[k * N + column]);
  r[row * N + column] = least;
}
