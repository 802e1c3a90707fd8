/*---
title   = "continue jumps over the second barrier"
problem = "sgemm"
idea    = "All threads skip tiles of zeros by continue and with it the barrier at the loop's end, so a warp stores the next tile while others still test this one."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,100
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;  // fault: race-shared
    Bs[ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;  // fault: race-shared
    __syncthreads();
    if (k0 + 16 <= K) {  // whole tiles
      for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];  // fault: race-shared
      continue;
    }
    for (int k = 0; k < K - k0; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
