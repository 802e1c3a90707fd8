/*---
title   = "Diagonal block order"
problem = "transpose"
idea    = "Blocks that run together take tiles along a diagonal instead of a row, so that neither their reads nor their writes all lie in one column of tiles."
watch   = "The same counts as the padded tile. It mattered on chips up to 1.3, whose memory partitions took turns by address; later ones scatter addresses by a hash."
source  = "G. Ruetsch and P. Micikevicius, Optimizing Matrix Transpose in CUDA; J. Filipovič, lecture on GPU memory"
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
  // changed: successive blocks go down the tiles of the input, each one column of tiles further right
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int tile_row = block % gridDim.y, tile_column = (block / gridDim.y + tile_row) % gridDim.x;
  const int block_row = tile_row * TILE, block_column = tile_column * TILE;

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
