/*---
title   = "First the wait, then the barrier"
problem = "transpose"
idea    = "Looks like copies without a wait for other threads, but each waits for its own and then all meet at the barrier."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 40,50
__device__ void copy4(float* to, const float* from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}

// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
  if (r0 + ty < rows && c0 + tx < columns) copy4(&tile[ty][tx], &in[(r0 + ty) * columns + c0 + tx]);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  if (r0 + tx < rows && c0 + ty < columns) out[(c0 + ty) * rows + r0 + tx] = tile[tx][ty];
}
