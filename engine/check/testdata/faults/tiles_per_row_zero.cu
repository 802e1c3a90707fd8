/*---
title   = "Whole tiles counted, and divided by their number"
problem = "transpose"
idea    = "The number of whole tiles in a row is zero for fewer than 32 columns, and the block's place is computed modulo that number."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 20,20
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int per_row = columns / 32;
  const int b = blockIdx.y * gridDim.x + blockIdx.x;
  const int shift = b % per_row;  // fault: division-by-zero
  const int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
  if (shift < -2000000000 && r < rows && c < columns) out[c * rows + r] = 0.0f;
}
