/*---
title   = "A transpose for square matrices"
problem = "transpose"
idea    = "Rows and columns are one number for this kernel: it is right for square matrices only."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 64,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int width = gridDim.x * 16;
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= columns || y >= rows) return;
  out[x * width + y] = in[y * width + x];  // fault: wrong-at-odd-size
}
