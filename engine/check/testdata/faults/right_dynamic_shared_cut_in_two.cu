/*---
title   = "Dynamic shared memory cut in two"
problem = "sgemm"
idea    = "Looks like one array overrun by the other, but the second begins where the padded rows of the first end."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
shared  = "(16 * 17 + 16 * 16) * 4"
---*/

// right
// size: 30,50,40
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ float pool[];
  float(*As)[17] = reinterpret_cast<float(*)[17]>(pool);
  float* Bs = pool + 16 * 17;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty * 16 + tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k * 16 + tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
