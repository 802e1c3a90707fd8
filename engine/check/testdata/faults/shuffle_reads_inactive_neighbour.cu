/*---
title   = "Odd lanes ask even lanes that do not answer"
problem = "transpose"
idea    = "Only odd lanes take part, with a mask of the odd lanes, and they ask the even lane to their left."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 4)"]
---*/

// size: 16,40
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int lane = threadIdx.x;
  const int r = blockIdx.y * 4 + threadIdx.y, c = blockIdx.x * 32 + lane;
  const bool inside = r < rows && c < columns;
  float v = inside ? in[r * columns + c] : 0.0f;
  float left = 0.0f;
  if (lane & 1) {
    left = __shfl_up_sync(0xaaaaaaaau, v, 1);  // fault: inactive-source-lane
  }
  if (inside) out[c * rows + r] = left > 1.0e20f ? left : v;
}
