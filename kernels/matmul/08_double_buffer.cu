/*---
title   = "Double buffering"
problem = "sgemm"
idea    = "Two copies of the tiles: the next one comes from global memory into registers while this one is multiplied, then goes to the other copy."
watch   = "The loads of global memory are issued before the multiply-adds that hide them, and one barrier a tile is enough. Twice the shared memory."
source  = "NVIDIA CUTLASS, efficient GEMM in CUDA: software pipelining"
[params]
BM = { default = 128, values = [32, 64, 128], meaning = "rows of C in a block" }
BN = { default = 128, values = [32, 64, 128], meaning = "columns of C in a block" }
BK = { default = 8, values = [4, 8, 16], meaning = "depth of the tiles of A and B" }
TM = { default = 8, values = [4, 8, 16], meaning = "rows of C in a thread" }
TN = { default = 8, values = [4, 8, 16], meaning = "columns of C in a thread" }
PAD = { default = 4, values = [0, 4], meaning = "unused floats that shift the banks, 0 for none; whole float4 keep the alignment" }
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

constexpr int A_WIDTH = BM + PAD;            // floats from one row of the tile of A to the next
constexpr int B_WIDTH = BN + BN / 32 * PAD;  // the tile of B skips PAD floats after every 32

__device__ int skip(int column) { return column + column / 32 * PAD; }  // where a column of the tile of B is kept

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
  __shared__ __align__(16) float A_tile[2][BK][A_WIDTH];  // changed: one copy to read, one to fill
  __shared__ __align__(16) float B_tile[2][BK][B_WIDTH];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int thread_row = threadIdx.x / (BN / TN) * TM;  // of this thread's corner, in the block's tile of C
  const int thread_column = threadIdx.x % (BN / TN) * TN;
  const int a_row = threadIdx.x / (BK / 4), a_column = threadIdx.x % (BK / 4) * 4;  // what this thread brings
  const int b_row = threadIdx.x / (BN / 4), b_column = threadIdx.x % (BN / 4) * 4;

  float4 a_next[BM / A_ROWS], b_next[BK / B_ROWS];  // changed: a tile on its way through the registers
  __align__(16) float sum[TM][TN] = {};

  auto fetch = [&](int k0) {  // global memory -> registers; nobody waits for the values yet
#pragma unroll
    for (int r = 0; r < BM / A_ROWS; ++r) a_next[r] = load4(A, block_row + a_row + r * A_ROWS, k0 + a_column, M, K);
#pragma unroll
    for (int r = 0; r < BK / B_ROWS; ++r) b_next[r] = load4(B, k0 + b_row + r * B_ROWS, block_column + b_column, K, N);
  };
  auto store = [&](int copy) {  // registers -> shared memory
#pragma unroll
    for (int r = 0; r < BM / A_ROWS; ++r) {
      A_tile[copy][a_column + 0][a_row + r * A_ROWS] = a_next[r].x;
      A_tile[copy][a_column + 1][a_row + r * A_ROWS] = a_next[r].y;
      A_tile[copy][a_column + 2][a_row + r * A_ROWS] = a_next[r].z;
      A_tile[copy][a_column + 3][a_row + r * A_ROWS] = a_next[r].w;
    }
#pragma unroll
    for (int r = 0; r < BK / B_ROWS; ++r) copy4(&B_tile[copy][b_row + r * B_ROWS][skip(b_column)], &b_next[r].x);
  };
  auto multiply = [&](int copy) {
#pragma unroll 8
    for (int k = 0; k < BK; ++k) {
      __align__(16) float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) copy4(&a[i], &A_tile[copy][k][thread_row + i]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) copy4(&b[j], &B_tile[copy][k][skip(thread_column) + j]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
  };

  fetch(0);
  store(0);
  __syncthreads();
  for (int k0 = 0, copy = 0; k0 < K; k0 += BK, copy ^= 1) {
    const bool more = k0 + BK < K;
    if (more) fetch(k0 + BK);
    multiply(copy);
    if (more) store(copy ^ 1);
    __syncthreads();  // the other copy is complete, and nobody reads this one any more
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store4(C, &sum[i][j], block_row + thread_row + i, block_column + thread_column + j, M, N);
}
