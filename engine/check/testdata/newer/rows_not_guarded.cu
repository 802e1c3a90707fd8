/*---
title   = "The last row of blocks goes beyond the matrix"
problem = "transpose"
idea    = "Columns are guarded and rows are not: the blocks with the largest blockIdx.y read and write behind the arrays."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 50,64
extern "C" __global__ void kernel(const float* in, float* out, int M, int N) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < N) out[x * M + y] = in[y * N + x];  // fault: out-of-bounds
}
