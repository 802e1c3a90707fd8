/*---
title   = "Warp tiles"
problem = "sgemm"
idea    = "Between block and thread comes the warp: its 8 x 4 lanes compute WM x WN elements of C, in pieces of 4 x 4 that lie side by side. What the edges need is found out before the loop."
watch   = "A warp reads whole lines of the tiles and stores whole sectors of C. With ZORDER 1 the lanes that share an address of B are near each other too, and its float4 loads take half the wavefronts. Between the multiply-adds there is little else left."
source  = "NVIDIA CUTLASS, efficient GEMM in CUDA: warp tile; S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, kernel 10"
[params]
BM = { default = 128, values = [64, 128, 256], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 16, values = [4, 8, 16], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [32, 64], meaning = "rows of C in a warp" }
WN = { default = 64, values = [16, 32, 64], meaning = "columns of C in a warp" }
ZORDER = { default = 1, values = [0, 1], meaning = "lanes of a warp row by row (0), or with rows and columns interleaved (1)" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "BM * BN <= 32768", reason = "The sums of a larger tile do not fit in the registers" },
  { test = "BM * BN <= max(16384, 8 * WM * WN)", reason = "A tile this large needs warp tiles of 64 x 64: more threads get too few registers each" },
  { test = "BM * BN >= 2 * WM * WN", reason = "A single warp would hold too much of the next tiles in its registers" },
  { test = "8 * BK * (BM + 4 + BN) <= 49152", reason = "Two copies of the tiles take more than 48 KiB of shared memory" },
  { test = "128 * BN <= WM * WN * BK", reason = "More threads than float4 in the tile of A: some would have nothing to load" },
  { test = "128 * BM <= WM * WN * BK", reason = "More threads than float4 in the tile of B: some would have nothing to load" },
  { test = "128 * BM >= WM * WN", reason = "Fewer threads than float4 in a row of the tile of B" },
]
---*/

constexpr int LANE_ROWS = 8, LANE_COLUMNS = 4;  // how the 32 lanes of a warp are laid out
constexpr int TM = WM / LANE_ROWS, TN = WN / LANE_COLUMNS;
constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int A_ROWS = THREADS / (BK / 4);  // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / (BN / 4);
constexpr int A_WIDTH = BM + 4;  // padded against conflicts when A is turned; the pieces of B need no padding now

__device__ void copy4(float* to, const float* from) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

// How many of four neighbours, the first one at `first`, lie before `end`.
__device__ int inside4(int first, int end) { return max(0, min(4, end - first)); }

// Four neighbours from x: the first `inside` of them, and zeros. A float4 has to start on 16 bytes, which every fourth
// element of every row does only where rows are a multiple of 4 long (`whole`); else the four come one by one.
__device__ float4 load4(const float* x, int inside, bool whole) {
  float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
  if (whole) {
    if (inside > 0) v = *reinterpret_cast<const float4*>(x);
  } else {
    if (inside > 0) v.x = x[0];
    if (inside > 1) v.y = x[1];
    if (inside > 2) v.z = x[2];
    if (inside > 3) v.w = x[3];
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
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ __align__(16) float A_tile[2][BK][A_WIDTH];
  __shared__ __align__(16) float B_tile[2][BK][BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  // changed: a warp has a place in the block's tile of C, a lane has one in the warp's.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int lane_row = ZORDER ? lane / 16 * 4 + lane / 8 % 2 * 2 + lane % 2 : lane / LANE_COLUMNS;
  const int lane_column = ZORDER ? lane / 2 % 4 : lane % LANE_COLUMNS;
  const int thread_row = warp / (BN / WN) * WM + lane_row * 4;  // of this thread's first piece of 4 x 4
  const int thread_column = warp % (BN / WN) * WN + lane_column * 4;
  const int a_row = threadIdx.x / (BK / 4), a_column = threadIdx.x % (BK / 4) * 4;  // what this thread brings
  const int b_row = threadIdx.x / (BN / 4), b_column = threadIdx.x % (BN / 4) * 4;

  float4 a_next[BM / A_ROWS], b_next[BK / B_ROWS];
  __align__(16) float sum[TM][TN] = {};

  // changed: where this thread's part of the tiles begins, and what of it exists, is the same for every tile. That
  // holds for the depth too, as the first tile takes what is left over of K and all others are whole.
  const int first = (K - 1) % BK + 1;
  const bool a_whole = K % 4 == 0, b_whole = N % 4 == 0;
  const float* a_from = A + (block_row + a_row) * K + a_column;
  const float* b_from = B + b_row * N + block_column + b_column;
  const int b_inside = inside4(block_column + b_column, N);

  auto fetch = [&](int depth) {  // global memory -> registers; nobody waits for the values yet
    const int a_inside = inside4(a_column, depth);
#pragma unroll
    for (int r = 0; r < BM / A_ROWS; ++r)
      a_next[r] = load4(a_from + r * A_ROWS * K, block_row + a_row + r * A_ROWS < M ? a_inside : 0, a_whole);
#pragma unroll
    for (int r = 0; r < BK / B_ROWS; ++r)
      b_next[r] = load4(b_from + r * B_ROWS * N, b_row + r * B_ROWS < depth ? b_inside : 0, b_whole);
    a_from += depth;
    b_from += depth * N;
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
    for (int r = 0; r < BK / B_ROWS; ++r) copy4(&B_tile[copy][b_row + r * B_ROWS][b_column], &b_next[r].x);
  };
  auto multiply = [&](int copy) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      __align__(16) float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) copy4(&a[i], &A_tile[copy][k][thread_row + i * LANE_ROWS]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) copy4(&b[j], &B_tile[copy][k][thread_column + j * LANE_COLUMNS]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
  };

  fetch(first);
  store(0);
  __syncthreads();
  for (int left = K - first, copy = 0; left >= 0; left -= BK, copy ^= 1) {
    const bool more = left > 0;
    if (more) fetch(BK);
    multiply(copy);
    if (more) store(copy ^ 1);
    __syncthreads();  // the other copy is complete, and nobody reads this one any more
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const int row = block_row + thread_row + i / 4 * 4 * LANE_ROWS + i % 4;
      store4(C, &sum[i][j], row, block_column + thread_column + j * LANE_COLUMNS, M, N);
    }
}
