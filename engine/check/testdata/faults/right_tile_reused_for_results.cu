/*---
title   = "Results staged in the memory of a tile"
problem = "sgemm"
idea    = "Looks like a race on the tile of A, but a barrier parts its last use from the results that are staged there."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 40,40,40
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][17], Bs[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = r0 + ty < M && k0 + tx < K ? A[(r0 + ty) * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = c0 + tx < N && k0 + ty < K ? B[(k0 + ty) * N + c0 + tx] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[tx][k] * Bs[k][ty];  // element (tx, ty) of the block
    __syncthreads();
  }
  As[tx][ty] = sum;
  __syncthreads();
  if (r0 + ty < M && c0 + tx < N) C[(r0 + ty) * N + c0 + tx] = As[ty][tx];
}
