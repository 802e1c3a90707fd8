/*---
title   = "K2: a strip of c in shared memory"
problem = "sgemm_column"
idea    = "The k loop is cut into strips too; the block loads a strip of c once and every thread reads it from shared memory."
watch   = "One global load a multiply-add instead of two; the reads of cb are broadcasts. It pays on a Tesla T10, which has no cache: 29.8, 43.1, 43.2, 44.0 GFLOPS. On an H100, whose L1 serves c in any case, it does not."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), K2, after M. Wolfe, Compilers and More: Optimizing GPU Kernels"
[params]
WIDTH = { default = 64, values = [32, 64, 128, 256], meaning = "SIMD width: threads in a block, rows in a strip, length of a strip of c" }
[launch]
block   = ["WIDTH"]
grid    = ["ceil_div(M, WIDTH)", "N"]
require = [{ test = "N <= 65535", reason = "The y dimension of a grid, one block for each column, ends at 65535" }]
---*/

// a[n][m] = b[n][p] * c[p][m], all column-major: element (i, j) of a is a[i + n * j].
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float cb[WIDTH];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * WIDTH + tx;
  const int j = blockIdx.y;
  const bool inside = i < n;  // a thread outside still helps to load c and meets the others at the barriers

  float sum = 0.0f;
  for (int ks = 0; ks < p; ks += WIDTH) {
    const int strip = min(WIDTH, p - ks);
    if (tx < strip) cb[tx] = c[ks + tx + p * j];
    __syncthreads();  // the lecture's one-warp block could do without; since compute capability 7.0 none can
#pragma unroll 4
    for (int k = 0; k < strip; ++k) sum += (inside ? b[i + n * (ks + k)] : 0.0f) * cb[k];
    __syncthreads();
  }
  if (inside) a[i + n * j] = sum;
}
