/*---
title   = "Shared-memory tiling"
problem = "sgemm"
idea    = "Each block loads a tile of A and a tile of B once into shared memory and reads every element TILE times from there."
watch   = "Global sectors per multiply-add fall by TILE; two shared loads for each multiply-add become the new cost."
source  = "CUDA C++ Programming Guide, shared memory"
[params]
TILE = { default = 8, values = [8], meaning = "edge of the square tiles of A, B and C" }
[launch]
block   = ["TILE", "TILE"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
require = [{ test = "TILE * TILE <= 1024", reason = "A block has at most 1024 threads, one for each element of the tile" }]
---*/

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float A_tile[TILE][TILE];
  __shared__ float B_tile[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int column = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    // Every thread brings one element of each tile; outside the matrices a zero adds nothing to the sum.
    A_tile[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    B_tile[ty][tx] = k0 + ty < K && column < N ? B[(k0 + ty) * N + column] : 0.0f;
    __syncthreads();  // the tiles are complete

#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      sum += A_tile[ty][k] * B_tile[k][tx];  // a broadcast, and a row of 32 banks
    }
    __syncthreads();  // nobody reads the tiles any more
  }
  if (row < M && column < N) C[row * N + column] = sum;
}
