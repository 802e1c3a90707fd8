/*---
title   = "Naive transpose"
problem = "transpose"
idea    = "One thread moves one element; lanes follow a row of the input, which is a column of the output."
watch   = "The load of a warp is 4 sectors; its store touches 32 sectors, each for 4 of its 32 bytes. A taller block turns it round."
source  = "J. Filipovič, lecture on GPU memory; M. Harris, An Efficient Matrix Transpose in CUDA C/C++"
[params]
BLOCK_X = { default = 32, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "columns of the input in a block" }
BLOCK_Y = { default = 8, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "rows of the input in a block" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X)", "ceil_div(M, BLOCK_Y)"]
require = [
  { test = "BLOCK_X * BLOCK_Y <= 1024", reason = "A block has at most 1024 threads" },
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
]
---*/

// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * BLOCK_X + threadIdx.x;
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}
