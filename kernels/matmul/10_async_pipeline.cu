/*---
title   = "Asynchronous pipeline"
problem = "sgemm"
idea    = "cp.async copies from global straight into shared memory while the warps compute; STAGES tiles are in use or under way at any time."
watch   = "No registers hold tiles on their way, so a thread has room for more sums, and one barrier a tile is enough. Copies of 4 bytes turn A on its way. More stages hide more latency until shared memory is full."
source  = "CUDA C++ Programming Guide, asynchronous data copies; PTX ISA, cp.async; NVIDIA CUTLASS, multistage mainloop"
[params]
BM = { default = 128, values = [64, 128, 256], meaning = "rows of C in a block" }
BN = { default = 256, values = [64, 128, 256], meaning = "columns of C in a block" }
BK = { default = 16, values = [8, 16, 32], meaning = "depth of the tiles of A and B" }
WM = { default = 64, values = [32, 64], meaning = "rows of C in a warp" }
WN = { default = 64, values = [16, 32, 64], meaning = "columns of C in a warp" }
STAGES = { default = 3, values = [2, 3, 4, 5], meaning = "tiles in use or under way" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared  = "STAGES * BK * (BM + 4 + BN) * 4"
require = [
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "BM * BN <= 32768", reason = "The sums of a larger tile do not fit in the registers" },
  { test = "BM * BN <= max(16384, 8 * WM * WN)", reason = "A tile this large needs warp tiles of 64 x 64: more threads get too few registers each" },
  { test = "STAGES * BK * (BM + 4 + BN) * 4 <= 101376", reason = "The stages take more than 99 KiB of shared memory" },
  { test = "32 * BN <= WM * WN * BK", reason = "More threads than elements in the tile of A: some would have nothing to copy" },
  { test = "128 * BM <= WM * WN * BK", reason = "More threads than float4 in the tile of B: some would have nothing to copy" },
  { test = "128 * BM >= WM * WN", reason = "Fewer threads than float4 in a row of the tile of B" },
]
---*/

constexpr int LANE_ROWS = 8, LANE_COLUMNS = 4;  // how the 32 lanes of a warp are laid out
constexpr int TM = WM / LANE_ROWS, TN = WN / LANE_COLUMNS;
constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int A_ROWS = THREADS / BK;  // rows of a tile that all threads together bring at once
constexpr int B_ROWS = THREADS / (BN / 4);
constexpr int A_WIDTH = BM + 4;

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
  extern __shared__ __align__(16) float shared[];
  auto A_tile = reinterpret_cast<float(*)[BK][A_WIDTH]>(shared);  // [STAGES][BK][A_WIDTH]
  auto B_tile = reinterpret_cast<float(*)[BK][BN]>(shared + STAGES * BK * A_WIDTH);
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int a_row = threadIdx.x / BK, a_column = threadIdx.x % BK;  // changed: A comes element by element
  const int b_row = threadIdx.x / (BN / 4), b_column = threadIdx.x % (BN / 4) * 4;

  // Lanes with rows and columns interleaved, as in the step before.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int lane_row = lane / 16 * 4 + lane / 8 % 2 * 2 + lane % 2, lane_column = lane / 2 % 4;
  const int thread_row = warp / (BN / WN) * WM + lane_row * 4;
  const int thread_column = warp % (BN / WN) * WN + lane_column * 4;

  const int first = (K - 1) % BK + 1;  // depth of the first tile; all others are whole
  const float* a_from = A + (block_row + a_row) * K + a_column;
  const float* b_from = B + b_row * N + block_column + b_column;
  const int b_columns = N - block_column - b_column;  // as many of these four exist, or all

  auto copy_tile = [&](int stage, int depth) {  // global memory -> shared memory; nobody waits yet
#pragma unroll
    for (int r = 0; r < BM; r += A_ROWS) {
      const bool inside = a_column < depth && block_row + a_row + r < M;
      copy_async<4>(&A_tile[stage][a_column][a_row + r], a_from + r * K, inside);
    }
    if (N % 4 == 0) {  // rows of B start on 16 bytes
#pragma unroll
      for (int r = 0; r < BK; r += B_ROWS) {
        const bool inside = b_row + r < depth && b_columns > 0;
        copy_async<16>(&B_tile[stage][b_row + r][b_column], b_from + r * N, inside);
      }
    } else {
#pragma unroll
      for (int r = 0; r < BK; r += B_ROWS)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const bool inside = b_row + r < depth && b_columns > i;
          copy_async<4>(&B_tile[stage][b_row + r][b_column + i], b_from + r * N + i, inside);
        }
    }
    a_from += depth;
    b_from += depth * N;
  };

  __align__(16) float sum[TM][TN] = {};
  auto multiply = [&](int stage) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      __align__(16) float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) copy4(&a[i], &A_tile[stage][k][thread_row + i * LANE_ROWS]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) copy4(&b[j], &B_tile[stage][k][thread_column + j * LANE_COLUMNS]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
  };

  copy_tile(0, first);
  commit_group();
#pragma unroll 1
  for (int stage = 1; stage < STAGES - 1; ++stage) {  // fill the pipeline
    if (first + (stage - 1) * BK < K) copy_tile(stage, BK);
    commit_group();
  }
  int stage = 0, free_stage = STAGES - 1;
  for (int left = K - first; left >= 0; left -= BK) {
    wait_group<STAGES - 2>();  // this thread's part of the tile has come
    __syncthreads();           // and everybody's; the stage multiplied last time is free again
    if (left > (STAGES - 2) * BK) copy_tile(free_stage, BK);
    commit_group();
    multiply(stage);
    free_stage = stage;
    stage = stage + 1 < STAGES ? stage + 1 : 0;
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const int row = block_row + thread_row + i / 4 * 4 * LANE_ROWS + i % 4;
      store4(C, &sum[i][j], row, block_column + thread_column + j * LANE_COLUMNS, M, N);
    }
}
