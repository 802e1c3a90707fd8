/*---
title   = "One step too many along the tile"
problem = "sgemm"
idea    = "k runs to 16 inclusive: the last row of As ends and the next element is the first of whatever array follows in shared memory."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,32
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[17][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  if (ty == 0) Bs[16][tx] = 0.0f;
  const float* flat = &As[0][0];
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k <= 16; ++k) sum += flat[ty * 16 + k] * Bs[k][tx];  // fault: out-of-array // fault: out-of-bounds
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
