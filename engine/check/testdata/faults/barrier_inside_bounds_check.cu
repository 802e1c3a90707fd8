/*---
title   = "The barrier inside the test of the bounds"
problem = "transpose"
idea    = "The barrier stands inside the test of the bounds, which some threads of a warp at the edge fail."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 40,70
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns) {
    tile[ty][tx] = in[r * columns + c];
    __syncthreads();  // fault: divergent-barrier
  }
  const int orow = blockIdx.x * 16 + ty, ocol = blockIdx.y * 16 + tx;
  if (orow < columns && ocol < rows) out[orow * rows + ocol] = tile[tx][ty];
}
