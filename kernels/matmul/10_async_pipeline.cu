/*---
title   = "Asynchronous pipeline"
problem = "sgemm"
idea    = "cp.async copies from global straight into shared memory while the warps compute; STAGES tiles are in use or under way at any time."
watch   = "No registers hold tiles on their way, one barrier a tile. More stages hide more latency until shared memory limits the blocks on an SM."
source  = "CUDA C++ Programming Guide, asynchronous data copies; PTX ISA, cp.async; NVIDIA CUTLASS, multistage mainloop"
[params]
BM = { default = 128, values = [64, 128, 256], meaning = "rows of C in a block" }
BN = { default = 128, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 16, values = [8, 16, 32], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [32, 64], meaning = "rows of C in a warp" }
WN = { default = 32, values = [16, 32, 64], meaning = "columns of C in a warp" }
STAGES = { default = 3, values = [2, 3, 4, 5], meaning = "tiles in use or under way" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared  = "STAGES * (BM * (BK + 4) + BK * BN) * 4"
require = [
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "BM * BN <= max(16384, 8 * WM * WN)", reason = "A tile this large needs warp tiles of 64 x 64: more threads get too few registers each" },
  { test = "BM * BN <= 32768", reason = "The sums of a larger tile do not fit in the registers" },
  { test = "STAGES * (BM * (BK + 4) + BK * BN) * 4 <= 101376", reason = "The stages take more than 99 KB of shared memory" },
  { test = "128 * BN <= WM * WN * BK", reason = "More threads than float4 in the tile of A: some would have nothing to copy" },
  { test = "128 * BM <= WM * WN * BK", reason = "More threads than float4 in the tile of B: some would have nothing to copy" },
  { test = "128 * BM >= WM * WN", reason = "Fewer threads than float4 in a row of the tile of B" },
]
---*/

constexpr int LANE_ROWS = 8, LANE_COLUMNS = 4;  // how the 32 lanes of a warp are laid out
constexpr int TM = WM / LANE_ROWS, TN = WN / LANE_COLUMNS;
constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int A_ROWS = THREADS / (BK / 4);  // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / (BN / 4);
constexpr int A_WIDTH = BK + 4;  // A keeps its rows, as a copy cannot turn it; padded so that 8 rows meet 8 groups of banks

__device__ void copy4(float* to, const float* from) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

// Starts a copy from global to shared memory that passes no register; where !inside it writes zeros and reads nothing.
template <int BYTES>
__device__ void copy_async(float* to, const float* from, bool inside) {
#if __CUDA_ARCH__ >= 800
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
               :: "r"(address), "l"(from), "n"(BYTES), "r"(inside ? BYTES : 0) : "memory");
#else  // before compute capability 8.0: an ordinary copy, complete at once
#pragma unroll
  for (int i = 0; i < BYTES / 4; ++i) to[i] = inside ? from[i] : 0.0f;
#endif
}

// Ends a group of copies. Every thread counts its own groups, so an empty one is ended too.
__device__ void commit_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most PENDING of this thread's groups are under way.
template <int PENDING>
__device__ void wait_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
#endif
}

// Four neighbours in a row of X[height][width], zeros outside; one by one where the rows do not start on 16 bytes.
__device__ void copy4_async(float* to, const float* X, int row, int column, int height, int width) {
  const float* x = X + row * width + column;
  if (width % 4 == 0) {
    const bool inside = row < height && column < width;
    copy_async<16>(to, inside ? x : X, inside);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool inside = row < height && column + i < width;
      copy_async<4>(to + i, inside ? x + i : X, inside);
    }
  }
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
  extern __shared__ __align__(16) float shared[];
  auto A_tile = reinterpret_cast<float(*)[BM][A_WIDTH]>(shared);  // [STAGES][BM][A_WIDTH]
  auto B_tile = reinterpret_cast<float(*)[BK][BN]>(shared + STAGES * BM * A_WIDTH);
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int a_row = threadIdx.x / (BK / 4), a_column = threadIdx.x % (BK / 4) * 4;  // what this thread brings
  const int b_row = threadIdx.x / (BN / 4), b_column = threadIdx.x % (BN / 4) * 4;

  // Lanes with rows and columns interleaved, as in the step before. A thread's rows are now LANE_ROWS apart.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int lane_row = lane / 16 * 4 + lane / 8 % 2 * 2 + lane % 2, lane_column = lane / 2 % 4;
  const int thread_row = warp / (BN / WN) * WM + lane_row;
  const int thread_column = warp % (BN / WN) * WN + lane_column * 4;

  auto copy_tile = [&](int stage, int k0) {
#pragma unroll
    for (int r = 0; r < BM; r += A_ROWS)
      copy4_async(&A_tile[stage][a_row + r][a_column], A, block_row + a_row + r, k0 + a_column, M, K);
#pragma unroll
    for (int r = 0; r < BK; r += B_ROWS)
      copy4_async(&B_tile[stage][b_row + r][b_column], B, k0 + b_row + r, block_column + b_column, K, N);
  };

  __align__(16) float sum[TM][TN] = {};
  auto multiply = [&](int stage) {
#pragma unroll 1
    for (int k4 = 0; k4 < BK; k4 += 4) {
      __align__(16) float a[TM][4];  // changed: four steps of k at once, since A's rows lie along k
#pragma unroll
      for (int i = 0; i < TM; ++i) copy4(a[i], &A_tile[stage][thread_row + i * LANE_ROWS][k4]);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        __align__(16) float b[TN];
#pragma unroll
        for (int j = 0; j < TN; j += 4) copy4(&b[j], &B_tile[stage][k4 + k][thread_column + j * LANE_COLUMNS]);
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int j = 0; j < TN; ++j) sum[i][j] += a[i][k] * b[j];
      }
    }
  };

#pragma unroll 1
  for (int stage = 0; stage < STAGES - 1; ++stage) {  // fill the pipeline
    if (stage * BK < K) copy_tile(stage, stage * BK);
    commit_group();
  }
  int stage = 0, free_stage = STAGES - 1;
  for (int k0 = 0; k0 < K; k0 += BK) {
    wait_group<STAGES - 2>();  // this thread's part of the tile at k0 has come
    __syncthreads();           // and everybody's; the stage multiplied last time is free again
    const int ahead = k0 + (STAGES - 1) * BK;
    if (ahead < K) copy_tile(free_stage, ahead);
    commit_group();
    multiply(stage);
    free_stage = stage;
    stage = stage + 1 < STAGES ? stage + 1 : 0;
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const int row = block_row + thread_row + i * LANE_ROWS;
      store4(C, &sum[i][j], row, block_column + thread_column + j * LANE_COLUMNS, M, N);
    }
}
