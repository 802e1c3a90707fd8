/*---
title   = "Copy, both sides coalesced"
problem = "copy"
idea    = "x and y change places: the lanes of a warp go along a row on both sides. It is the naive transpose with one line changed, and no longer a transpose."
watch   = "4 sectors a load and a store, every byte of them used. The lecture measured 112.4 GB/s on a GTX 280: so far, it seems, a transpose might come."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
WIDTH = { default = 1024, values = [64, 512, 1000, 1024, 4000, 4096], meaning = "columns of the matrix; the lecture's has 4000" }
BLOCK_X = { default = 32, values = [4, 8, 16, 32, 64, 128], meaning = "threads of a block along x" }
BLOCK_Y = { default = 8, values = [4, 8, 16, 32, 64], meaning = "threads of a block along y" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(WIDTH, BLOCK_X)", "ceil_div(ceil_div(N, WIDTH), BLOCK_Y)"]
require = [
  { test = "BLOCK_X * BLOCK_Y <= 1024", reason = "A block has at most 1024 threads" },
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
]
---*/

// out[i] = in[i] for all i below N: rows of a matrix WIDTH wide, the last one not always full.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x;  // column
  const int y = blockIdx.y * BLOCK_Y + threadIdx.y;  // row
  const int i = y * WIDTH + x;                       // changed: lanes are neighbours
  if (x < WIDTH && i < N) out[i] = in[i];
}
