/*---
title   = "A tile staged in the output and read by __ldg()"
problem = "transpose"
idea    = "The block stages its tile in device memory and reads it after a barrier by __ldg(), which is for data that nobody writes during the launch."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 32,32
__device__ float stage[32 * 32];

extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int x = threadIdx.x;
  if (gridDim.x * gridDim.y > 1) return;
  for (int y = threadIdx.y; y < 32; y += 8)
    stage[y * 32 + x] = y < rows && x < columns ? in[y * columns + x] : 0.0f;  // fault: stale-read-only
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    if (x < rows && y < columns) out[y * rows + x] = __ldg(&stage[x * 32 + y]);  // fault: stale-read-only
}
