/*---
title   = "The neighbour in a row, where there is one"
problem = "copy"
idea    = "The last column asks for no neighbour."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[16][16 + 1];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16, i = blockIdx.x * 256 + threadIdx.x;
  tile[y][x] = i < N ? in[i] : 0.0f;
  tile[y][16] = 0.0f;
  __syncthreads();
  const float right = tile[y][x + 1];
  if (i < N) out[i] = right == 77.0f && x == 15 ? right : tile[y][x];
}
