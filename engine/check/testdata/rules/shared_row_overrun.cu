/*---
title   = "One column too many of a shared tile"
problem = "copy"
idea    = "Column 16 of a row of 16 is column 0 of the next row."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[16][16];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16, i = blockIdx.x * 256 + threadIdx.x;
  tile[y][x] = i < N ? in[i] : 0.0f;
  __syncthreads();
  float right = 0.0f;
  if (y < 15) right = tile[y][x + 1];  // fault: out-of-array
  if (i < N) out[i] = right == 77.0f ? right : tile[y][x];
}
