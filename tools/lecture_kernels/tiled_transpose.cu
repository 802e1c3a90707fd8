/*---
title   = "Transpose by tiles"
problem = "transpose"
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
PAD = { default = 1, values = [0, 1] }
DIAGONAL = { default = 0, values = [0, 1] }
[launch]
block   = [32, 8]
grid    = ["N / 32", "M / 32"]
---*/

constexpr int TILE_DIM = 32, BLOCK_ROWS = 8;

extern "C" __global__ void kernel(const float* idata, float* odata, int n, int) {
  __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
  const int block_y = DIAGONAL ? blockIdx.x : blockIdx.y;
  const int block_x = DIAGONAL ? (blockIdx.x + blockIdx.y) % gridDim.x : blockIdx.x;
  int x = block_x * TILE_DIM + threadIdx.x, y = block_y * TILE_DIM + threadIdx.y;
  const int index_in = x + y * n;
  x = block_y * TILE_DIM + threadIdx.x;
  y = block_x * TILE_DIM + threadIdx.y;
  const int index_out = x + y * n;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * n];
  __syncthreads();
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) odata[index_out + i * n] = tile[threadIdx.x][threadIdx.y + i];
}
