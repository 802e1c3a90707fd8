/*---
title   = "A target set in one of two branches"
problem = "transpose"
idea    = "The target index is set for even columns and for odd columns below 16, but not for odd columns from 17 on."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 4)"]
---*/

// size: 20,30
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 4 + threadIdx.y;
  if (r >= rows || c >= columns) return;
  int to;  // fault: uninitialized-register // fault: wrong-result
  if (c % 2 == 0) {
    to = c * rows + r;
  } else if (c < 16) {
    to = (c & 15) * rows + r;
  }
  out[to] = in[r * columns + c];  // fault: uninitialized-register // fault: wrong-result // fault: race-global
}
