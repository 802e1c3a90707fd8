/*---
title   = "Dynamic shared memory for one tile of two"
problem = "sgemm"
idea    = "The launch asks for the bytes of one tile, and the kernel lays two of them into it."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
shared  = "16 * 16 * 4"
---*/

// size: 32,32,32
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ float tiles[];
  float* As = tiles;
  float* Bs = tiles + 16 * 16;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty * 16 + tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty * 16 + tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;  // fault: out-of-bounds
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty * 16 + k] * Bs[k * 16 + tx];  // fault: out-of-bounds
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
