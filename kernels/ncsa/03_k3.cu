/*---
title   = "K3: XI values of i per thread"
problem = "sgemm_column"
idea    = "Each thread computes XI values of the i loop, WIDTH apart, so a value of c read from shared memory serves XI multiply-adds."
watch   = "Fewer shared loads, but just as many global loads of b, one for each multiply-add. On a Tesla T10 that is why it does not pay: 43.1 to 43.6 GFLOPS. On an H100 it does: try XI 8."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), K3, after M. Wolfe, Compilers and More: Optimizing GPU Kernels"
[params]
WIDTH = { default = 64, values = [32, 64, 128, 256], meaning = "SIMD width: threads in a block, length of a strip of c" }
XI = { default = 2, values = [1, 2, 3, 4, 5, 6, 7, 8], meaning = "values of the i loop a thread" }
[launch]
block   = ["WIDTH"]
grid    = ["ceil_div(M, WIDTH * XI)", "N"]
require = [{ test = "N <= 65535", reason = "The y dimension of a grid, one block for each column, ends at 65535" }]
---*/

// a[n][m] = b[n][p] * c[p][m], all column-major: element (i, j) of a is a[i + n * j].
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[WIDTH];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * (WIDTH * XI) + tx;  // and i + WIDTH, i + 2 * WIDTH, ...
  const int j = blockIdx.y;

  float sum[XI] = {};
  for (int ks = 0; ks < p; ks += WIDTH) {
    const int strip = min(WIDTH, p - ks);
    if (tx < strip) cb[tx] = c[ks + tx + p * j];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < strip; ++k) {
      const float rc = cb[k];  // read once, used XI times
#pragma unroll
      for (int x = 0; x < XI; ++x) {
        const int ix = i + x * WIDTH;
        sum[x] += (ix < n ? b[ix + n * (ks + k)] : 0.0f) * rc;
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int x = 0; x < XI; ++x)
    if (i + x * WIDTH < n) a[i + x * WIDTH + n * j] = sum[x];
}
