/*---
title   = "Tiled product, second barrier missing"
problem = "sgemm"
idea    = "The second barrier is missing: a fast warp stores the next tiles while a slow one still reads the old ones."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 70,50,90
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[16][17];
  __shared__ float b[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  float c = 0.0f;
  const int tiles = (K + 15) / 16;
  for (int t = 0; t < tiles; t++) {
    const int ka = t * 16 + x, kb = t * 16 + y;
    a[y][x] = i < M && ka < K ? A[i * K + ka] : 0.0f;  // fault: race-shared
    b[y][x] = j < N && kb < K ? B[kb * N + j] : 0.0f;  // fault: race-shared
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) c = fmaf(a[y][k], b[k][x], c);  // fault: race-shared
  }
  if (i < M && j < N) C[i * N + j] = c;
}
