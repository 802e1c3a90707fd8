/*---
title   = "The last row goes to the wrong argument"
problem = "transpose"
idea    = "In the branch for the last row source and target are exchanged: the input is overwritten there."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 8)"]
---*/

// size: 24,36
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r >= rows || c >= columns) return;
  float* source = const_cast<float*>(in);
  if (r + 1 < rows) {
    out[c * rows + r] = source[r * columns + c];
  } else {
    const float v = source[r * columns + c];
    source[r * columns + c] = 0.0f;  // fault: write-to-input
    out[c * rows + r] = v;
  }
}
