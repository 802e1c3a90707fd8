/*---
title   = "A tile of B addressed from the tile of A"
problem = "sgemm"
idea    = "The tile of B is reached through the address of the tile of A plus its size: legal only if the arrays happen to lie side by side."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 16,32,48
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[256];
  __shared__ float Bs[256];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty * 16 + tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty * 16 + tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; ++k) sum += As[ty * 16 + k] * As[256 + k * 16 + tx];  // fault: out-of-array // fault: out-of-bounds
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
