/*---
title   = "The upper triangle is taken from the output"
problem = "transpose"
idea    = "The lower triangle is written by the thread that owns it; above the diagonal a thread adds to the output what is not there yet."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 16,16
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r >= rows || c >= columns) return;
  if (r >= c)
    out[c * rows + r] = in[r * columns + c];
  else
    out[c * rows + r] += in[r * columns + c];  // fault: uninitialized-global
}
