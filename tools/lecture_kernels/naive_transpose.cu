/*---
title   = "Naive transpose"
problem = "transpose"
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[launch]
block   = [16, 16]
grid    = ["N / 16", "M / 16"]
---*/

extern "C" __global__ void kernel(const float* idata, float* odata, int n, int) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  odata[x * n + y] = idata[y * n + x];
}
