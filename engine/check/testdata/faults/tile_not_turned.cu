/*---
title   = "The tiles exchanged, their elements not"
problem = "transpose"
idea    = "Each tile goes to the mirrored place, but its elements are written as they stand: [ty][tx] in place of [tx][ty]."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 64,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns) tile[ty][tx] = in[r * columns + c];
  __syncthreads();
  const int to_row = blockIdx.x * 16 + ty, to_col = blockIdx.y * 16 + tx;
  if (to_row < columns && to_col < rows)
    out[to_row * rows + to_col] = tile[ty][tx];  // fault: wrong-result // fault: uninitialized-shared
}
