/*---
title   = "Past the end of a row into the next"
problem = "transpose"
idea    = "The element to the right is taken, which is the first of the next row for the last column: nothing is out of bounds, but all are shifted by one."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 8)"]
---*/

// size: 40,40
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int r = blockIdx.y * 8 + threadIdx.y;
  if (r >= rows || c >= columns) return;
  const int from = min(r * columns + c + 1, rows * columns - 1);  // fault: wrong-result
  out[c * rows + r] = in[from];
}
