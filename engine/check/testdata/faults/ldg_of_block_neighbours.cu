/*---
title   = "A tile staged in the output and read by __ldg()"
problem = "transpose"
idea    = "The block stages its tile in device memory and reads it after a barrier by __ldg(), which is for data that nobody writes during the launch."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 64,40
__device__ float stage[256][32 * 32];  // a tile for each block

// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int x = threadIdx.x, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  float* tile = stage[(blockIdx.y * gridDim.x + blockIdx.x) % 256];
  for (int y = threadIdx.y; y < 32; y += 8)
    if (r0 + y < rows && c0 + x < columns) tile[y * 32 + x] = in[(r0 + y) * columns + c0 + x];  // fault: stale-read-only
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    if (r0 + x < rows && c0 + y < columns)
      out[(c0 + y) * rows + r0 + x] = __ldg(&tile[x * 32 + y]);  // fault: stale-read-only
}
