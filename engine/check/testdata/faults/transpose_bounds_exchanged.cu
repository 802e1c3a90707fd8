/*---
title   = "Rows and columns exchanged in the test"
problem = "transpose"
idea    = "The test compares the row with the columns and the column with the rows: right only for square matrices."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 64,40
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * 16 + threadIdx.x;
  const int r = blockIdx.y * 16 + threadIdx.y;
  if (r < max(rows, columns) && c < max(rows, columns)) {
    const int from = r * columns + c, to = c * rows + r;
    out[to] = in[from];  // fault: out-of-bounds // fault: race-global
  }
}
