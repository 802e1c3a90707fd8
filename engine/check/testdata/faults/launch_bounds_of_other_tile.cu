/*---
title   = "__launch_bounds__ for another tile"
problem = "transpose"
idea    = "The bound was computed for a tile of 16 and the block has 32 times 32 threads."
[params]
TILE = { default = 16, values = [8, 16], meaning = "edge of the tile that the bound was made for" }
[launch]
block   = ["32", "32"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 48,48
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void __launch_bounds__(TILE * TILE, 2)  // fault: launch-bounds
kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  if (r < rows && c < columns) tile[ty][tx] = in[r * columns + c];
  __syncthreads();
  const int orow = blockIdx.x * 32 + ty, ocol = blockIdx.y * 32 + tx;
  if (orow < columns && ocol < rows) out[orow * rows + ocol] = tile[tx][ty];
}
