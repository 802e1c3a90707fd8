/*---
title   = "One block in shared memory"
problem = "sgemm"
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
BLOCK = { default = 16, values = [16] }
[launch]
block   = [64]
grid    = ["N / 64", "M / BLOCK"]
---*/

// The lecture has no lines of it, only the tiles: 16 x 16 of A in shared memory, 64 x 1 of B and 64 x 16 of C in
// registers.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int n, int, int) {
  const int tx = threadIdx.x, x = blockIdx.x * 64 + tx, by = blockIdx.y;
  __shared__ float As[BLOCK][BLOCK];
  float Csub[BLOCK] = {};
  const float* of_a = A + (by * BLOCK + tx / BLOCK) * n + tx % BLOCK;
  const float* of_b = B + x;
  for (int b = 0; b < n / BLOCK; b++) {
    for (int r = 0; r < BLOCK; r += 4) As[r + tx / BLOCK][tx % BLOCK] = of_a[r * n];
    of_a += BLOCK;
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) {
      for (int r = 0; r < BLOCK; r++) Csub[r] += As[r][k] * *of_b;
      of_b += n;
    }
    __syncthreads();
  }
  for (int r = 0; r < BLOCK; r++) C[(r + by * BLOCK) * n + x] = Csub[r];
}
