/*---
title   = "float4 stores into an aligned shared tile"
problem = "transpose"
idea    = "Looks misaligned, but the tile begins on 16 bytes, its rows are 36 floats wide and rows of the input are whole float4 here."
[launch]
block   = ["8", "32"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// right
// size: 64,32
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ __align__(16) float tile[32][36];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx * 4;
  if (columns % 4 == 0) {
    if (r < rows && c < columns)
      *reinterpret_cast<float4*>(&tile[ty][tx * 4]) = *reinterpret_cast<const float4*>(&in[r * columns + c]);
  } else {
    for (int e = 0; e < 4; ++e)
      if (r < rows && c + e < columns) tile[ty][tx * 4 + e] = in[r * columns + c + e];
  }
  __syncthreads();
  const int to_row = blockIdx.x * 32 + ty;
  for (int e = tx; e < 32; e += 8) {
    const int to_col = blockIdx.y * 32 + e;
    if (to_row < columns && to_col < rows) out[to_row * rows + to_col] = tile[e][ty];
  }
}
