/*---
title   = "Tiled product"
problem = "sgemm"
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
BLOCK = { default = 16, values = [16] }
[launch]
block   = ["BLOCK", "BLOCK"]
grid    = ["N / BLOCK", "M / BLOCK"]
---*/

extern "C" __global__ void kernel(const float* A, const float* B, float* C, int n, int, int) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  __shared__ float As[BLOCK][BLOCK];
  __shared__ float Bs[BLOCK][BLOCK];
  float Csub = 0.0f;
  for (int b = 0; b < n / BLOCK; b++) {
    As[ty][tx] = A[(ty + by * BLOCK) * n + b * BLOCK + tx];
    Bs[ty][tx] = B[(ty + b * BLOCK) * n + bx * BLOCK + tx];
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) Csub += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[(ty + by * BLOCK) * n + bx * BLOCK + tx] = Csub;
}
