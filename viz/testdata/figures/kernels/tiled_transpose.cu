/*---
title   = "Tiled transpose"
problem = "transpose"
idea    = "A tile is read by rows into shared memory and written from there by columns: lanes are neighbours on both sides of global memory."
watch   = "4 sectors a load and a store. Without padding (PAD 0) the 32 lanes that read a column of the tile share one bank; PAD 1 frees them."
source  = "M. Harris, An Efficient Matrix Transpose in CUDA C/C++; G. Ruetsch and P. Micikevicius, Optimizing Matrix Transpose in CUDA"
[params]
TILE = { default = 32, values = [8, 16, 32, 64], meaning = "edge of the square tile" }
ROWS = { default = 8, values = [1, 2, 4, 8, 16, 32], meaning = "rows of the tile that the block moves at once" }
PAD = { default = 1, values = [0, 1, 2, 3, 4], meaning = "unused floats at the end of each row of the tile" }
[launch]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
require = [
  { test = "TILE * ROWS <= 1024", reason = "A block has at most 1024 threads" },
  { test = "TILE * ROWS >= 32", reason = "A block smaller than one warp leaves lanes without work" },
  { test = "ROWS <= TILE", reason = "More rows of threads than rows in the tile" },
]
---*/

// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + PAD];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int block_row = blockIdx.y * TILE, block_column = blockIdx.x * TILE;  // of the input

#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const int row = block_row + ty + r, column = block_column + tx;
    if (row < rows && column < columns) tile[ty + r][tx] = in[row * columns + column];
  }
  __syncthreads();

#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const int row = block_row + tx, column = block_column + ty + r;  // lanes now run along the output's rows
    if (row < rows && column < columns) out[column * rows + row] = tile[tx][ty + r];
  }
}
