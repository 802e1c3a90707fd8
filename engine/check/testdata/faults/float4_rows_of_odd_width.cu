/*---
title   = "float4 loads from rows of 30 elements"
problem = "transpose"
idea    = "Each row is read as float4, but a row of 30 elements does not begin on 16 bytes in every second case."
[launch]
block   = ["8", "16"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 16)"]
---*/

// size: 16,30
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int r = blockIdx.y * 16 + threadIdx.y;
  const int c = (blockIdx.x * 8 + threadIdx.x) * 4;
  if (r >= rows || c >= columns) return;
  if (c + 3 < columns) {
    const float4 v = *reinterpret_cast<const float4*>(&in[r * columns + c]);  // fault: misaligned
    out[c * rows + r] = v.x;
    out[(c + 1) * rows + r] = v.y;
    out[(c + 2) * rows + r] = v.z;
    out[(c + 3) * rows + r] = v.w;
  } else {
    for (int e = c; e < columns; ++e) out[e * rows + r] = in[r * columns + e];
  }
}
