/*---
title   = "A tile turned by one warp, with __syncwarp()"
problem = "transpose"
idea    = "Looks like a missing __syncthreads(), but the block is one warp, for which __syncwarp() is enough."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// right
// size: 40,70
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int lane = threadIdx.x, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  for (int r = 0; r < 32; ++r)
    if (r0 + r < rows && c0 + lane < columns) tile[r][lane] = in[(r0 + r) * columns + c0 + lane];
  __syncwarp();
  for (int c = 0; c < 32; ++c)
    if (r0 + lane < rows && c0 + c < columns) out[(c0 + c) * rows + r0 + lane] = tile[lane][c];
}
