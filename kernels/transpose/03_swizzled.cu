/*---
title   = "Swizzled tile"
problem = "transpose"
idea    = "Instead of padding the tile, element (r, c) is kept in column c xor r: a row is still a row of banks, and a column is one too."
watch   = "No conflicts and no unused word: 4,096 bytes a block where the padded tile takes 4,224. What it costs is an exclusive or for each address."
source  = "CUDA C++ Programming Guide, shared memory swizzle modes"
[params]
TILE = { default = 32, values = [8, 16, 32, 64], meaning = "edge of the square tile" }
ROWS = { default = 8, values = [1, 2, 4, 8, 16, 32], meaning = "rows of the tile that the block moves at once" }
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
  __shared__ float tile[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int block_row = blockIdx.y * TILE, block_column = blockIdx.x * TILE;  // of the input

#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const int row = block_row + ty + r, column = block_column + tx;
    if (row < rows && column < columns) tile[ty + r][tx ^ (ty + r)] = in[row * columns + column];  // changed
  }
  __syncthreads();

#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const int row = block_row + tx, column = block_column + ty + r;  // lanes now run along the output's rows
    if (row < rows && column < columns) out[column * rows + row] = tile[tx][(ty + r) ^ tx];  // changed
  }
}
