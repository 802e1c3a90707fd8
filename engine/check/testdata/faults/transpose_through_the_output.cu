/*---
title   = "The output as scratch for other blocks"
problem = "transpose"
idea    = "The block first copies rows into the output as scratch and then turns them from there, where other blocks have put their rows already or not yet."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 4)"]
---*/

// size: 32,32
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int r = blockIdx.y * 4 + threadIdx.y;
  const bool inside = r < rows && c < columns;
  if (inside) out[r * columns + c] = in[r * columns + c];  // fault: race-global
  __syncthreads();
  const float v = inside ? out[r * columns + c] : 0.0f;
  __syncthreads();
  if (inside) out[c * rows + r] = v;  // fault: race-global
}
