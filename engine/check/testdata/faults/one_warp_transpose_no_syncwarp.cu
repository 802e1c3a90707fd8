/*---
title   = "A tile turned by one warp without __syncwarp()"
problem = "transpose"
idea    = "One warp fills the tile row by row and reads it by columns; being one warp does not order its lanes, __syncwarp() is missing."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 64,96
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int lane = threadIdx.x;
  const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  for (int r = 0; r < 32; ++r)
    if (r0 + r < rows && c0 + lane < columns) tile[r][lane] = in[(r0 + r) * columns + c0 + lane];  // fault: race-warp
  for (int c = 0; c < 32; ++c)
    if (r0 + lane < rows && c0 + c < columns) out[(c0 + c) * rows + r0 + lane] = tile[lane][c];  // fault: race-warp
}
