/*---
title   = "A barrier in a branch that whole blocks take"
problem = "transpose"
idea    = "Looks like a divergent barrier, but the condition is the same for all threads of a block: whether its tile is a full one."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 50,30
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
  const bool full = r0 + 16 <= rows && c0 + 16 <= columns;
  if (full) {
    tile[ty][tx] = in[(r0 + ty) * columns + c0 + tx];
    __syncthreads();
    out[(c0 + ty) * rows + r0 + tx] = tile[tx][ty];
  } else {
    if (r0 + ty < rows && c0 + tx < columns) tile[ty][tx] = in[(r0 + ty) * columns + c0 + tx];
    __syncthreads();
    if (r0 + tx < rows && c0 + ty < columns) out[(c0 + ty) * rows + r0 + tx] = tile[tx][ty];
  }
}
