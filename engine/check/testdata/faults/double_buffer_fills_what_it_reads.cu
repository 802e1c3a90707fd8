/*---
title   = "Double buffering, the buffers not exchanged"
problem = "sgemm"
idea    = "The next tile goes into the very buffer that is multiplied, because the exclusive-or was forgotten: other warps overwrite it meanwhile."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 48,80,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[2][16 * 16], Bs[2][16 * 16];
  const int tx = threadIdx.x, ty = threadIdx.y, own = ty * 16 + tx;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  As[0][own] = row < M && tx < K ? A[row * K + tx] : 0.0f;
  Bs[0][own] = col < N && ty < K ? B[ty * N + col] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  const int cur = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    const int ka = k0 + 16 + tx, kb = k0 + 16 + ty;
    float a = row < M && ka < K ? A[row * K + ka] : 0.0f;
    float b = col < N && kb < K ? B[kb * N + col] : 0.0f;
    for (int k = 0; k < 16; ++k) sum += As[cur][ty * 16 + k] * Bs[cur][k * 16 + tx];  // fault: race-shared
    As[cur][own] = a;  // fault: race-shared
    Bs[cur][own] = b;  // fault: race-shared
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
