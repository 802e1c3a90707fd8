/*---
title   = "Clusters of two rows of blocks in a grid of five"
problem = "transpose"
idea    = "The cluster is two blocks wide and two high; the grid is four wide, which is fine, and five high, which is not."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 80,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void __cluster_dims__(2, 2, 1)  // fault: launch-cluster
kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns) tile[ty][tx] = in[r * columns + c];
  __syncthreads();
  const int orow = blockIdx.x * 16 + ty, ocol = blockIdx.y * 16 + tx;
  if (orow < columns && ocol < rows) out[orow * rows + ocol] = tile[tx][ty];
}
