/*---
title   = "Vectorized accesses"
problem = "sgemm"
idea    = "Loads and stores move a float4; A is turned while it is stored in shared memory, so that its columns can be read as float4 too."
watch   = "A quarter of the global instructions; ptxas had merged most shared loads before. The turned stores of A collide in the banks, and so do the reads of B, TN floats apart."
source  = "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, kernel 6; CUDA Pro Tip: Increase Performance with Vectorized Memory Access"
[params]
BM = { default = 128, values = [32, 64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [32, 64, 128], meaning = "columns of C in a block" }
BK = { default = 8, values = [4, 8, 16, 32], meaning = "depth of the tiles of A and B" }
TM = { default = 8, values = [4, 8, 16], meaning = "rows of C in a thread" }
TN = { default = 8, values = [4, 8, 16], meaning = "columns of C in a thread" }
[launch]
block   = ["BM / TM * (BN / TN)"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "TM * TN <= 64", reason = "This step keeps a thread at 64 sums: 128 would take more than half of its 255 registers" },
  { test = "BM * BN <= 512 * TM * TN", reason = "This step keeps blocks at 512 threads, so that each thread can have 128 registers" },
  { test = "BM * BN >= 32 * TM * TN", reason = "A block needs at least one full warp" },
  { test = "4 * BN <= TM * TN * BK", reason = "More threads than float4 in the tile of A: some would have nothing to load" },
  { test = "4 * BM <= TM * TN * BK", reason = "More threads than float4 in the tile of B: some would have nothing to load" },
]
---*/

constexpr int THREADS = BM / TM * (BN / TN);
constexpr int A_ROWS = THREADS / (BK / 4);  // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / (BN / 4);

__device__ void copy4(float* to, const float* from) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

// Four neighbours in a row of X[height][width], zeros outside. A float4 has to start on 16 bytes, which every fourth
// element of every row does only where the width is a multiple of 4; for other widths the four come one by one.
__device__ float4 load4(const float* X, int row, int column, int height, int width) {
  float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
  if (row >= height) return v;
  const float* x = X + row * width + column;
  if (width % 4 == 0) {
    if (column < width) v = *reinterpret_cast<const float4*>(x);
  } else {
    if (column + 0 < width) v.x = x[0];
    if (column + 1 < width) v.y = x[1];
    if (column + 2 < width) v.z = x[2];
    if (column + 3 < width) v.w = x[3];
  }
  return v;
}

__device__ void store4(float* X, const float* v, int row, int column, int height, int width) {
  if (row >= height) return;
  float* x = X + row * width + column;
  if (width % 4 == 0) {
    if (column < width) copy4(x, v);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (column + i < width) x[i] = v[i];
  }
}

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ __align__(16) float A_tile[BK][BM];  // changed: turned, so a thread's TM rows are neighbours
  __shared__ __align__(16) float B_tile[BK][BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int thread_row = threadIdx.x / (BN / TN) * TM;  // of this thread's corner, in the block's tile of C
  const int thread_column = threadIdx.x % (BN / TN) * TN;
  const int a_row = threadIdx.x / (BK / 4), a_column = threadIdx.x % (BK / 4) * 4;  // what this thread brings
  const int b_row = threadIdx.x / (BN / 4), b_column = threadIdx.x % (BN / 4) * 4;

  __align__(16) float sum[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int r = a_row; r < a_row + BM; r += A_ROWS) {
      const float4 v = load4(A, block_row + r, k0 + a_column, M, K);
      A_tile[a_column + 0][r] = v.x;  // one row of A becomes one column of the tile
      A_tile[a_column + 1][r] = v.y;
      A_tile[a_column + 2][r] = v.z;
      A_tile[a_column + 3][r] = v.w;
    }
#pragma unroll
    for (int r = b_row; r < b_row + BK; r += B_ROWS) {
      const float4 v = load4(B, k0 + r, block_column + b_column, K, N);
      *reinterpret_cast<float4*>(&B_tile[r][b_column]) = v;
    }
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < BK; ++k) {
      __align__(16) float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) copy4(&a[i], &A_tile[k][thread_row + i]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) copy4(&b[j], &B_tile[k][thread_column + j]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store4(C, &sum[i][j], block_row + thread_row + i, block_column + thread_column + j, M, N);
}
