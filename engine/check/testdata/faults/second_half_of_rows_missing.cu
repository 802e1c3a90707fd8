/*---
title   = "The loop over rows missing on the way out"
problem = "transpose"
idea    = "The block has 8 rows of threads; on the way in a loop covers 32 rows, on the way out it was forgotten."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 64,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  for (int j = ty; j < 32; j += 8)
    if (r0 + j < rows && c0 + tx < columns) tile[j][tx] = in[(r0 + j) * columns + c0 + tx];
  __syncthreads();
  if (c0 + ty < columns && r0 + tx < rows)
    out[(c0 + ty) * rows + r0 + tx] = tile[tx][ty];  // fault: unwritten-output
}
