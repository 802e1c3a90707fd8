/*---
title   = "Double buffering, a barrier every other tile"
problem = "sgemm"
idea    = "One barrier is too few: it comes only after every second tile, so a warp that is ahead fills the buffer that another one still reads."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 64,64,128
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[2][16][16];
  __shared__ float Bs[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  auto fill = [&](int buf, int k0) {
    As[buf][ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;  // fault: race-shared
    Bs[buf][ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;  // fault: race-shared
  };
  float sum = 0.0f;
  fill(0, 0);
  __syncthreads();
  int buf = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (k0 + 16 < K) fill(buf ^ 1, k0 + 16);
    for (int k = 0; k < 16; ++k) sum += As[buf][ty][k] * Bs[buf][k][tx];  // fault: race-shared
    buf ^= 1;
    if (buf == 0) __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
