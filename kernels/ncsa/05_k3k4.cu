/*---
title   = "K3 + K4: XI by XJ values per thread"
problem = "sgemm_column"
idea    = "Both together: each thread computes XI x XJ values from XI loads of b and XJ values of c for each k."
watch   = "Registers grow with XI * XJ. On a Tesla T10 XI adds little to what XJ has won: at XJ 4, XI 2 173.3 and XI 4 167.0 GFLOPS. On an H100 it adds half again: try XI 5 with XJ 7."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), K3 + K4, after M. Wolfe, Compilers and More: Optimizing GPU Kernels"
[params]
WIDTH = { default = 128, values = [32, 64, 128, 256], meaning = "SIMD width: threads in a block, length of a strip of c" }
XI = { default = 2, values = [1, 2, 3, 4, 5, 6, 7, 8], meaning = "values of the i loop a thread" }
XJ = { default = 4, values = [1, 2, 3, 4, 5, 6, 7, 8], meaning = "values of the j loop a thread" }
[launch]
block   = ["WIDTH"]
grid    = ["ceil_div(M, WIDTH * XI)", "ceil_div(N, XJ)"]
require = [{ test = "N <= 65535 * XJ", reason = "The y dimension of a grid, one block for XJ columns, ends at 65535" }]
---*/

// a[n][m] = b[n][p] * c[p][m], all column-major: element (i, j) of a is a[i + n * j].
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[XJ][WIDTH];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * (WIDTH * XI) + tx;  // and i + WIDTH, i + 2 * WIDTH, ...
  const int j = blockIdx.y * XJ;                 // and j + 1, j + 2, ...

  float sum[XI][XJ] = {};
  for (int ks = 0; ks < p; ks += WIDTH) {
    const int strip = min(WIDTH, p - ks);
#pragma unroll
    for (int y = 0; y < XJ; ++y)
      if (tx < strip) cb[y][tx] = j + y < m ? c[ks + tx + p * (j + y)] : 0.0f;
    __syncthreads();
#pragma unroll 2
    for (int k = 0; k < strip; ++k) {
      float rb[XI];
#pragma unroll
      for (int x = 0; x < XI; ++x) rb[x] = i + x * WIDTH < n ? b[i + x * WIDTH + n * (ks + k)] : 0.0f;
#pragma unroll
      for (int y = 0; y < XJ; ++y) {
        const float rc = cb[y][k];
#pragma unroll
        for (int x = 0; x < XI; ++x) sum[x][y] += rb[x] * rc;
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int x = 0; x < XI; ++x)
#pragma unroll
    for (int y = 0; y < XJ; ++y)
      if (i + x * WIDTH < n && j + y < m) a[i + x * WIDTH + n * (j + y)] = sum[x][y];
}
