/*---
title   = "Copy within tiles"
problem = "copy"
idea    = "The tiled transpose without its turn: a block brings a tile into shared memory, waits, and writes each element back to its own place."
watch   = "The same sectors as the plain copy; what is added is shared memory and a barrier. So it is the bound of the tiled transpose: 94.9 GB/s on the lecture's GTX 280, where the padded transpose reached 93.4."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
WIDTH = { default = 1024, values = [64, 512, 1000, 1024, 4000, 4096], meaning = "columns of the matrix; the lecture's has 4000" }
TILE = { default = 32, values = [8, 16, 32, 64], meaning = "edge of the square tile" }
ROWS = { default = 8, values = [1, 2, 4, 8, 16, 32], meaning = "rows of the tile that the block moves at once" }
[launch]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(WIDTH, TILE)", "ceil_div(ceil_div(N, WIDTH), TILE)"]
require = [
  { test = "TILE * ROWS <= 1024", reason = "A block has at most 1024 threads" },
  { test = "TILE * ROWS >= 32", reason = "A block smaller than one warp leaves lanes without work" },
  { test = "ROWS <= TILE", reason = "More rows of threads than rows in the tile" },
]
---*/

// out[i] = in[i] for all i below N: rows of a matrix WIDTH wide, the last one not always full.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float tile[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;  // column, row
  const int first = y * WIDTH + x;

#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const int i = first + r * WIDTH;
    if (x < WIDTH && i < N) tile[ty + r][tx] = in[i];
  }
  __syncthreads();

#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const int i = first + r * WIDTH;
    if (x < WIDTH && i < N) out[i] = tile[ty + r][tx];  // a transpose reads tile[tx][ty + r] here
  }
}
