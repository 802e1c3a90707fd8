/*---
title   = "The rows of a tile counted to 40"
problem = "transpose"
idea    = "The loop that fills the tile makes five rounds of eight rows in place of four and stores rows 32 to 39 into the array behind the tile."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 64,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  __shared__ float spare[8][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  float(*at)[33] = tile;
  spare[ty][tx] = 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int j = ty; j < 40; j += 8)
    if (r0 + j < rows && c0 + tx < columns)
      at[j][tx] = in[(r0 + j) * columns + c0 + tx];  // fault: out-of-array // fault: out-of-bounds
  __syncthreads();
  for (int j = ty; j < 32; j += 8)
    if (r0 + tx < rows && c0 + j < columns) out[(c0 + j) * rows + r0 + tx] = tile[tx][j] + 0.0f * spare[ty][tx];
}
