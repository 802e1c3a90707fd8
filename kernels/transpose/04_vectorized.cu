/*---
title   = "Four elements at a time"
problem = "transpose"
idea    = "Every access of global memory moves a float4: a thread reads four columns of a row and writes four rows of a column."
watch   = "A quarter of the global requests, 16 sectors in each, and all loads of a thread are under way at once. With TILE 32 the 4 x 8 elements of a shared access meet 32 banks."
source  = "CUDA Pro Tip: Increase Performance with Vectorized Memory Access; M. Harris, An Efficient Matrix Transpose in CUDA C/C++"
[params]
TILE = { default = 32, values = [16, 32, 64], meaning = "edge of the square tile" }
ROWS = { default = 8, values = [4, 8, 16, 32], meaning = "rows of the tile that the block moves at once" }
[launch]
block   = ["TILE / 4", "ROWS"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
require = [
  { test = "TILE / 4 * ROWS >= 32", reason = "A block smaller than one warp leaves lanes without work" },
  { test = "ROWS <= TILE", reason = "More rows of threads than rows in the tile" },
]
---*/

// Four neighbours in a row of X[height][width]. A float4 has to start on 16 bytes, which every fourth element of
// every row does only where the width is a multiple of 4; for other widths the four go one by one.
__device__ float4 load4(const float* X, int row, int column, int height, int width) {
  float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
  if (row >= height) return v;
  const float* x = X + row * width + column;
  if (width % 4 == 0) {
    if (column < width) v = *reinterpret_cast<const float4*>(x);
  } else {
    if (column + 0 < width) v.x = x[0];
    if (column + 1 < width) v.y = x[1];
    if (column + 2 < width) v.z = x[2];
    if (column + 3 < width) v.w = x[3];
  }
  return v;
}

// The four come from a column of the tile: what is not stored is not read there either.
__device__ void store4(float* X, const float (*tile)[TILE + 1], int row, int column, int height, int width) {
  if (row >= height) return;
  float* x = X + row * width + column;
  if (width % 4 == 0) {
    if (column < width) *reinterpret_cast<float4*>(x) = {tile[0][0], tile[1][0], tile[2][0], tile[3][0]};
  } else {
    if (column + 0 < width) x[0] = tile[0][0];
    if (column + 1 < width) x[1] = tile[1][0];
    if (column + 2 < width) x[2] = tile[2][0];
    if (column + 3 < width) x[3] = tile[3][0];
  }
}

// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  const int tx = 4 * threadIdx.x, ty = threadIdx.y;  // changed: the first of four
  const int block_row = blockIdx.y * TILE, block_column = blockIdx.x * TILE;  // of the input

  float4 moved[TILE / ROWS];  // all loads are under way before the first is waited for
#pragma unroll
  for (int step = 0; step < TILE / ROWS; ++step)
    moved[step] = load4(in, block_row + ty + step * ROWS, block_column + tx, rows, columns);
#pragma unroll
  for (int step = 0; step < TILE / ROWS; ++step) {
    float* to = &tile[ty + step * ROWS][tx];
    to[0] = moved[step].x;
    to[1] = moved[step].y;
    to[2] = moved[step].z;
    to[3] = moved[step].w;
  }
  __syncthreads();

#pragma unroll
  for (int step = 0; step < TILE / ROWS; ++step) {  // lanes now run along the output's rows
    const int c = ty + step * ROWS;
    store4(out, reinterpret_cast<const float (*)[TILE + 1]>(&tile[tx][c]), block_column + c, block_row + tx, columns,
           rows);
  }
}
