/*---
title   = "K4: XJ values of j per thread"
problem = "sgemm_column"
idea    = "Each thread computes XJ values of the j loop, so a value of b read from global memory serves XJ multiply-adds; XJ strips of c are in shared memory."
watch   = "Global loads of b fall by XJ: this is what pays. x2 57.3, 84.8, 86.3 and x4 107.4, 163.8, 169.1 GFLOPS on a Tesla T10."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), K4, after M. Wolfe, Compilers and More: Optimizing GPU Kernels"
[params]
WIDTH = { default = 128, values = [32, 64, 128, 256], meaning = "SIMD width: threads in a block, rows in a strip, length of a strip of c" }
XJ = { default = 4, values = [1, 2, 3, 4, 5, 6, 7, 8], meaning = "values of the j loop a thread" }
[launch]
block   = ["WIDTH"]
grid    = ["ceil_div(M, WIDTH)", "ceil_div(N, XJ)"]
require = [{ test = "N <= 65535 * XJ", reason = "The y dimension of a grid, one block for XJ columns, ends at 65535" }]
---*/

// a[n][m] = b[n][p] * c[p][m], all column-major: element (i, j) of a is a[i + n * j].
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[XJ][WIDTH];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * WIDTH + tx;
  const int j = blockIdx.y * XJ;  // and j + 1, j + 2, ...
  const bool inside = i < n;

  float sum[XJ] = {};
  for (int ks = 0; ks < p; ks += WIDTH) {
    const int strip = min(WIDTH, p - ks);
#pragma unroll
    for (int y = 0; y < XJ; ++y)
      if (tx < strip) cb[y][tx] = j + y < m ? c[ks + tx + p * (j + y)] : 0.0f;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < strip; ++k) {
      const float rb = inside ? b[i + n * (ks + k)] : 0.0f;  // read once, used XJ times
#pragma unroll
      for (int y = 0; y < XJ; ++y) sum[y] += rb * cb[y][k];
    }
    __syncthreads();
  }

#pragma unroll
  for (int y = 0; y < XJ; ++y)
    if (inside && j + y < m) a[i + n * (j + y)] = sum[y];
}
