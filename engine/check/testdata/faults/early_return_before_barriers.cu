/*---
title   = "Threads outside the matrix return first"
problem = "sgemm"
idea    = "Threads outside C return before the loop with its barriers: the others wait for threads that never come, and miss what these should have loaded."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 50,40,30
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  As[ty][tx] = Bs[ty][tx] = 0.0f;
  __syncthreads();
  if (row >= M || col >= N) return;  // fault: divergent-barrier
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();  // fault: divergent-barrier
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();  // fault: divergent-barrier
  }
  C[row * N + col] = sum;
}
