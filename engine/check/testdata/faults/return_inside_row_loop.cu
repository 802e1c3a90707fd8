/*---
title   = "A return in the middle of the row loop"
problem = "transpose"
idea    = "Lanes right of the last column return inside the loop that loads the tile, before the barrier of the block."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 50,50
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x >= columns) return;  // fault: divergent-barrier
    if (y < rows) tile[j][threadIdx.x] = in[y * columns + x];
  }
  __syncthreads();  // fault: divergent-barrier
  const int ox = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int oy = blockIdx.x * 32 + j;
    if (ox < rows && oy < columns) out[oy * rows + ox] = tile[threadIdx.x][j];
  }
}
