#include "engine/problem/kind_texts.hpp"

#include <fmt/format.h>

namespace warplens::problem {
namespace {

constexpr std::string_view kVector = R"t([launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
)t";
constexpr std::string_view kVectorStride = R"t([launch]
block = [256]
grid  = [32]
)t";
constexpr std::string_view kMatrix = R"t([launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
)t";
constexpr std::string_view kRows = R"t([launch]
block = [256]
grid  = ["M"]
)t";
constexpr std::string_view kEachRow = R"t([launch]
block = [256]
grid  = ["ceil_div(M, 256)"]
)t";

// Loops over tiles make several turns at the sizes that open first, so that a barrier that is missing at
// their end is found.
constexpr KindText kKinds[] = {
    {"vector_add", "Vector addition", "C[i] = A[i] + B[i]", R"t(
sizes   = { N = { value = 1000003, also = ["size", "numElements", "length", "len", "count", "num", "total", "elements"] } }
buffers = [{ name = "A", count = "N", also = ["a", "x", "in1", "input1", "inp1", "left", "X"] },
           { name = "B", count = "N", also = ["b", "y", "in2", "input2", "inp2", "right", "Y"] },
           { name = "C", count = "N", also = ["c", "out", "output", "z", "sum", "res", "result", "Z"] }]
check   = "C[i] == A[i] + B[i]"
operations = "N"
)t",
     kVector, R"t(extern "C" __global__ void vector_add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
)t"},
    {"saxpy", "SAXPY", "y[i] = a x[i] + y[i]", R"t(
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "count", "num"] } }
buffers = [{ name = "x", count = "N", also = ["X", "in", "A"] },
           { name = "y", count = "N", fill = "random", also = ["Y", "out", "B"] }]
scalars = [{ name = "a", value = 2.5, also = ["alpha", "A", "da"] }]
check   = "y[i] == a * x[i] + old(y)[i]"
operations = "2 * N"
)t",
     kVector, R"t(extern "C" __global__ void saxpy(int N, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) y[i] = a * x[i] + y[i];
}
)t",
     true},
    {"map", "Elementwise map", "out[i] is made of in[i] alone; say how with check", R"t(
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "count", "num"] } }
buffers = [{ name = "in", count = "N", also = ["inp", "input", "x", "X", "A", "a"] },
           { name = "out", count = "N", output = true, also = ["output", "y", "Y", "B", "b", "C", "c"] }]
none    = "map does not say which function: add check = \"out[i] == ...\" to [problem]"
)t",
     kVector, R"t(extern "C" __global__ void map(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = in[i] > 0 ? in[i] : 0;
}
)t",
     false, R"t(check = "out[i] == max(in[i], 0)")t"},
    {"dot", "Dot product", "out[0] = the sum of x[i] y[i]; out starts at zero", R"t(
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "count", "num"] } }
buffers = [{ name = "x", count = "N", also = ["a", "A", "X", "in1"] }, { name = "y", count = "N", also = ["b", "B", "Y", "in2"] },
           { name = "out", count = "1", fill = "zero", also = ["c", "C", "result", "res", "sum", "dot", "r"] }]
check   = "out[0] == sum(k, 0, N, x[k] * y[k])"
operations = "2 * N"
)t",
     kVectorStride, R"t(extern "C" __global__ void dot(const float* x, const float* y, float* out, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
)t",
     true},
    {"gemv", "Matrix times vector", "y = A x, A row-major M x N", R"t(
sizes   = { M = { value = 1024, also = ["rows", "m", "num_rows", "height"] }, N = { value = 1024, also = ["cols", "columns", "n", "num_cols", "width"] } }
buffers = [{ name = "A", shape = ["M", "N"], also = ["a", "mat", "matrix", "W"] }, { name = "x", count = "N", also = ["X", "vec", "b", "B", "in", "v"] },
           { name = "y", count = "M", also = ["Y", "out", "c", "C", "result", "res", "output"] }]
scalars = [{ name = "alpha", value = 1 }, { name = "beta", value = 0 }, { name = "lda", value = "N" }]
check   = "y[i] == sum(k, 0, N, A[i, k] * x[k])"
operations = "2 * M * N"
)t",
     kEachRow, R"t(extern "C" __global__ void gemv(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < N; ++k) sum += A[row * N + k] * x[k];
  y[row] = sum;
}
)t",
     true},
    {"sgemm", "Matrix product", "C = A B, row-major", R"t(
sizes   = { M = { value = 512, also = ["m", "hA", "numARows", "rowsA", "A_rows", "num_rows_A", "numCRows"] }, N = { value = 512, also = ["n", "wB", "numBColumns", "colsB", "B_cols", "num_cols_B", "width", "Width", "size", "numCColumns", "WIDTH"] }, K = { value = 512, also = ["k", "wA", "numAColumns", "colsA", "A_cols", "num_cols_A"] } }
buffers = [{ name = "A", shape = ["M", "K"], also = ["a", "left", "x", "X"] }, { name = "B", shape = ["K", "N"], also = ["b", "right", "y", "Y"] },
           { name = "C", shape = ["M", "N"], also = ["c", "P", "out", "result", "z", "Z"] }]
scalars = [{ name = "alpha", value = 1 }, { name = "beta", value = 0 },
           { name = "lda", type = "int", value = "K", also = ["numBRows", "rowsB", "num_rows_B", "strideA"] }, { name = "ldb", type = "int", value = "N", also = ["strideB"] },
           { name = "ldc", type = "int", value = "N", also = ["strideC"] },
           { name = "rows_of_C", type = "int", value = "M", also = ["numCRows", "rowsC", "num_rows_C", "hC"] },
           { name = "columns_of_C", type = "int", value = "N", also = ["numCColumns", "colsC", "num_cols_C", "wC"] }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[k, column])"
operations = "2 * M * N * K"
)t",
     kMatrix,
     R"t(extern "C" __global__ void sgemm(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
)t",
     true},
    {"sgemm_nt", "A times B transposed",
     "C[i][j] = the sum of A[i][k] B[j][k]: B is N x K, as in a linear layer", R"t(
sizes   = { M = { value = 512, also = ["m", "BT", "rows"] }, N = { value = 512, also = ["n", "OC", "out_features"] }, K = { value = 512, also = ["k", "C", "in_features"] } }
buffers = [{ name = "A", shape = ["M", "K"], also = ["inp", "in", "input", "x", "X", "a"] },
           { name = "B", shape = ["N", "K"], also = ["weight", "W", "w", "b", "BT"] },
           { name = "C", shape = ["M", "N"], also = ["out", "output", "y", "Y", "c"] }]
scalars = [{ name = "alpha", value = 1 }, { name = "beta", value = 0 }]
check   = "C[row, column] == sum(k, 0, K, A[row, k] * B[column, k])"
operations = "2 * M * N * K"
)t",
     kMatrix,
     R"t(extern "C" __global__ void sgemm_nt(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[column * K + k];
  C[row * N + column] = sum;
}
)t",
     true},
    {"sgemm_column", "Matrix product, column-major",
     "a = b c, all column-major: element (i, j) of a is a[i + n j]", R"t(
sizes   = { M = { value = 512, also = ["n"] }, N = { value = 512, also = ["m"] }, K = { value = 512, also = ["p"] } }
buffers = [{ name = "a", shape = ["N", "M"], output = true }, { name = "b", shape = ["K", "M"] }, { name = "c", shape = ["N", "K"] }]
check   = "a[row, column] == sum(k, 0, K, b[k, column] * c[row, k])"
operations = "2 * M * N * K"
)t",
     R"t([launch]
block = [64]
grid  = ["ceil_div(M, 64)", "N"]
)t",
     R"t(extern "C" __global__ void sgemm_column(float* a, const float* b, const float* c, int n, int m, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
  a[i + n * j] = sum;
}
)t",
     true},
    {"minplus", "Shortcuts of two steps", "r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed",
     R"t(
sizes   = { N = { value = 512, also = ["n"] } }
buffers = [{ name = "d", shape = ["N", "N"] }, { name = "r", shape = ["N", "N"], output = true }]
check   = "r[row, column] == min(k, 0, N, d[row, k] + d[k, column])"
operations = "2 * N * N * N"
)t",
     R"t([launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
)t",
     R"t(extern "C" __global__ void minplus(const float* d, const float* t, float* r, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N || column >= N) return;
  float least = INFINITY;
  for (int k = 0; k < N; ++k) least = fminf(least, d[row * N + k] + d[k * N + column]);
  r[row * N + column] = least;
}
)t"},
    {"linear", "Linear layer with a bias", "out[i][j] = bias[j] + the sum of inp[i][k] weight[j][k]", R"t(
sizes   = { M = { value = 512, also = ["BT", "m", "rows", "batch"] }, N = { value = 512, also = ["OC", "n", "out_features"] }, K = { value = 512, also = ["C", "k", "in_features"] } }
buffers = [{ name = "inp", shape = ["M", "K"], also = ["in", "input", "x", "A"] }, { name = "weight", shape = ["N", "K"], also = ["W", "w", "B"] },
           { name = "bias", count = "N", also = ["b"] }, { name = "out", shape = ["M", "N"], also = ["output", "y"] }]
check   = "out[row, column] == bias[column] + sum(k, 0, K, inp[row, k] * weight[column, k])"
operations = "2 * M * N * K"
)t",
     kMatrix,
     R"t(extern "C" __global__ void linear(float* out, const float* inp, const float* weight, const float* bias, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = bias[column];
  for (int k = 0; k < K; ++k) sum += inp[row * K + k] * weight[column * K + k];
  out[row * N + column] = sum;
}
)t",
     true},
    {"transpose", "Matrix transpose", "out[N][M] from in[M][N], row-major", R"t(
sizes   = { M = { value = 1024, also = ["rows", "height", "ny", "m"] }, N = { value = 1024, also = ["columns", "cols", "width", "nx", "n"] } }
buffers = [{ name = "in", shape = ["M", "N"], also = ["idata", "input", "inp", "A", "a", "src", "x"] },
           { name = "out", shape = ["N", "M"], also = ["odata", "output", "B", "b", "At", "dst", "y", "T", "C"] }]
check   = "out[row, column] == in[column, row]"
)t",
     kMatrix, R"t(extern "C" __global__ void transpose(const float* in, float* out, int M, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) out[column * M + row] = in[row * N + column];
}
)t"},
    {"reduce", "Sum of a vector", "out[0] = the sum of in; out starts at zero", R"t(
sizes   = { N = { value = 1048576, also = ["size", "length", "len", "n", "count", "num"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "A", "a", "x", "data", "X"] },
           { name = "out", count = "1", fill = "zero", also = ["odata", "output", "sum", "result", "res", "B", "b", "y", "total", "C"] }]
check   = "out[0] == sum(k, 0, N, in[k])"
operations = "N - 1"
)t",
     kVectorStride, R"t(extern "C" __global__ void reduce(const float* in, float* out, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
)t"},
    {"partial_sums", "Partial sums", "out[i] = the sum of the i-th E elements of in, one a block", R"t(
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "n", "count", "num"] }, E = 256 }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "A", "a", "x", "data", "X"] },
           { name = "out", count = "ceil_div(N, E)", also = ["odata", "output", "sum", "result", "res", "B", "b", "y", "partial", "block_sums"] }]
check   = "out[i] == sum(k, i * E, min(N, (i + 1) * E), in[k])"
operations = "N"
)t",
     R"t([launch]
block = [128]
grid  = ["ceil_div(N, E)"]
)t",
     R"t(extern "C" __global__ void partial_sums(const float* in, float* out, int N, int E) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < E; i += blockDim.x)
    if (blockIdx.x * E + i < N) sum += in[blockIdx.x * E + i];
  part[threadIdx.x] = sum;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
)t"},
    {"copy", "Copy", "out[i] = in[i]", R"t(
sizes   = { N = { value = 1048576, also = ["size", "length", "len", "n", "count", "num"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "A", "a", "src", "x", "X"] },
           { name = "out", count = "N", also = ["odata", "output", "B", "b", "dst", "y", "C", "c", "Y"] }]
check   = "out[i] == in[i]"
)t",
     kVector, R"t(extern "C" __global__ void copy(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = in[i];
}
)t"},
    {"scan", "Inclusive scan", "out[i] = the sum of in[0] to in[i]", R"t(
sizes   = { N = { value = 1024, also = ["size", "length", "len", "n", "count", "num", "InputSize"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "X", "x", "A", "a", "data"] },
           { name = "out", count = "N", also = ["odata", "output", "Y", "y", "B", "b", "result"] }]
check   = "out[i] == sum(k, 0, i + 1, in[k])"
operations = "N - 1"
)t",
     R"t([launch]
block   = [256]
grid    = [1]
)t",
     R"t(extern "C" __global__ void scan(const float* in, float* out, int N) {
  __shared__ float part[256];
  float carry = 0;
  for (int base = 0; base < N; base += 256) {
    int i = base + threadIdx.x;
    float value = i < N ? in[i] : 0;
    part[threadIdx.x] = value;
    for (int stride = 1; stride < 256; stride *= 2) {
      __syncthreads();
      float before = threadIdx.x >= stride ? part[threadIdx.x - stride] : 0;
      __syncthreads();
      value += before;
      part[threadIdx.x] = value;
    }
    __syncthreads();
    if (i < N) out[i] = carry + value;
    carry += part[255];
    __syncthreads();
  }
}
)t"},
    {"scan_exclusive", "Exclusive scan", "out[i] = the sum of in[0] to in[i - 1], out[0] = 0", R"t(
sizes   = { N = { value = 1024, also = ["size", "length", "len", "n", "count", "num", "InputSize"] } }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "X", "x", "A", "a", "data"] },
           { name = "out", count = "N", also = ["odata", "output", "Y", "y", "B", "b", "result"] }]
check   = "out[i] == sum(k, 0, i, in[k])"
operations = "N - 1"
)t",
     R"t([launch]
block   = [32]
grid    = [1]
)t",
     R"t(extern "C" __global__ void scan_exclusive(const float* in, float* out, int N) {
  float carry = 0;
  for (int base = 0; base < N; base += 32) {
    int i = base + threadIdx.x;
    float own = i < N ? in[i] : 0, value = own;
    for (int stride = 1; stride < 32; stride *= 2) {
      float before = __shfl_up_sync(0xffffffff, value, stride);
      if (threadIdx.x >= stride) value += before;
    }
    if (i < N) out[i] = carry + value - own;
    carry += __shfl_sync(0xffffffff, value, 31);
  }
}
)t"},
    {"histogram", "Histogram", "bins[i] = how many elements of in are i; bins starts at zero", R"t(
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "n", "count", "num"] }, B = { value = 256, also = ["num_bins", "nbins", "bins_count", "numBins", "NUM_BINS", "K"] } }
buffers = [{ name = "in", count = "N", fill = "random(0, B)", also = ["input", "inp", "data", "buffer", "buf", "image", "x", "A", "values"] },
           { name = "bins", count = "B", fill = "zero", also = ["histo", "hist", "histogram", "out", "output", "result", "counts", "bin"] }]
check   = "bins[i] == count(k, 0, N, in[k] == i)"
)t",
     kVector, R"t(extern "C" __global__ void histogram(const int* in, int* bins, int N, int B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) atomicAdd(&bins[in[i]], 1);
}
)t"},
    {"conv1d", "Convolution of a vector",
     "out[i] = the sum of in[i + k - R / 2] mask[k]; 0 beyond the ends; R is odd", R"t(
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "n", "Width", "width", "count"] }, R = { value = 5, also = ["mask_width", "Mask_Width", "kernel_size", "K", "filter_size", "MASK_WIDTH", "m"] } }
buffers = [{ name = "in", count = "N", also = ["input", "inp", "N", "x", "A", "signal", "a", "array"] },
           { name = "mask", count = "R", also = ["M", "kernel", "filter", "F", "w", "weights", "h"] },
           { name = "out", count = "N", also = ["output", "P", "y", "C", "result", "b"] }]
check   = "out[i] == sum(k, 0, R, in[i + k - floor_div(R, 2)] * mask[k])"
operations = "2 * N * R"
)t",
     kVector,
     R"t(extern "C" __global__ void conv1d(const float* in, const float* mask, float* out, int N, int R) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float sum = 0;
  for (int k = 0; k < R; ++k) {
    int at = i + k - R / 2;
    if (at >= 0 && at < N) sum += in[at] * mask[k];
  }
  out[i] = sum;
}
)t",
     true},
    {"conv2d", "Convolution of an image",
     "out[i][j] = the sum of in[i + r - R / 2][j + c - R / 2] mask[r][c]; 0 beyond the edges; R is odd", R"t(
sizes   = { M = { value = 500, also = ["height", "rows", "H", "h", "ny"] }, N = { value = 500, also = ["width", "cols", "columns", "W", "w", "nx"] }, R = { value = 3, also = ["mask_width", "Mask_Width", "kernel_size", "K", "filter_size", "MASK_WIDTH", "k"] } }
buffers = [{ name = "in", shape = ["M", "N"], also = ["input", "inp", "N", "x", "A", "image", "img"] },
           { name = "mask", shape = ["R", "R"], also = ["M", "kernel", "filter", "F", "weights"] },
           { name = "out", shape = ["M", "N"], also = ["output", "P", "y", "C", "result"] }]
check   = "out[row, column] == sum(r, 0, R, sum(c, 0, R, in[row + r - floor_div(R, 2), column + c - floor_div(R, 2)] * mask[r, c]))"
operations = "2 * M * N * R * R"
)t",
     kMatrix,
     R"t(extern "C" __global__ void conv2d(const float* in, const float* mask, float* out, int M, int N, int R) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < R; ++c) {
      int y = row + r - R / 2, x = column + c - R / 2;
      if (y >= 0 && y < M && x >= 0 && x < N) sum += in[y * N + x] * mask[r * R + c];
    }
  out[row * N + column] = sum;
}
)t",
     true},
    {"stencil", "Five-point stencil",
     "out[i][j] = the mean of the four neighbours within; the border stays as in", R"t(
sizes   = { M = { value = 500, also = ["height", "rows", "ny", "m"] }, N = { value = 500, also = ["width", "cols", "columns", "nx", "n"] } }
buffers = [{ name = "in", shape = ["M", "N"], also = ["input", "inp", "u", "A", "a", "old_grid", "T", "src"] },
           { name = "out", shape = ["M", "N"], also = ["output", "unew", "u_new", "B", "b", "new_grid", "Tnew", "dst"] }]
check   = "out[row, column] == (row > 0 && row < M - 1 && column > 0 && column < N - 1 ? 0.25 * (in[row - 1, column] + in[row + 1, column] + in[row, column - 1] + in[row, column + 1]) : in[row, column])"
operations = "4 * M * N"
)t",
     kMatrix, R"t(extern "C" __global__ void stencil(const float* in, float* out, int M, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  int i = row * N + column;
  bool inside = row > 0 && row < M - 1 && column > 0 && column < N - 1;
  out[i] = inside ? 0.25f * (in[i - N] + in[i + N] + in[i - 1] + in[i + 1]) : in[i];
}
)t"},
    {"softmax", "Softmax of each row", "out[i][j] = exp(in[i][j]) / the sum of exp(in[i][k]) over k", R"t(
sizes   = { M = { value = 512, also = ["rows", "N", "N_rows", "B", "batch", "m", "num_rows", "height"] }, N = { value = 1000, also = ["columns", "cols", "C", "n", "num_cols", "width", "dim", "D"] } }
buffers = [{ name = "in", shape = ["M", "N"], fill = "random(-4, 4)", also = ["inp", "input", "x", "X", "A", "logits", "matd"] },
           { name = "out", shape = ["M", "N"], also = ["output", "y", "Y", "B", "probs", "resd"] }]
check   = "out[row, column] == exp(in[row, column] - max(j, 0, N, in[row, j])) / sum(k, 0, N, exp(in[row, k] - max(j, 0, N, in[row, j])))"
)t",
     kRows, R"t(extern "C" __global__ void softmax(const float* in, float* out, int M, int N) {
  __shared__ float part[256];
  const float* row = in + blockIdx.x * N;
  float most = -3.4e38f, sum = 0;
  for (int j = threadIdx.x; j < N; j += 256) most = fmaxf(most, row[j]);
  part[threadIdx.x] = most;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + stride]);
  }
  __syncthreads();
  most = part[0];
  __syncthreads();
  for (int j = threadIdx.x; j < N; j += 256) sum += expf(row[j] - most);
  part[threadIdx.x] = sum;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  __syncthreads();
  for (int j = threadIdx.x; j < N; j += 256) out[blockIdx.x * N + j] = expf(row[j] - most) / part[0];
}
)t"},
    {"layer_norm", "Layer norm of each row",
     "out = (inp - mean) rstd weight + bias, a row at a time; mean and rstd are written where the kernel "
     "takes them",
     R"t(
sizes   = { M = { value = 512, also = ["rows", "N", "B", "BT", "batch", "m"] }, N = { value = 768, also = ["columns", "cols", "C", "n", "dim", "D"] } }
buffers = [{ name = "inp", shape = ["M", "N"], also = ["in", "input", "x", "X"] }, { name = "weight", count = "N", also = ["gamma", "w", "g"] },
           { name = "bias", count = "N", also = ["beta", "b"] }, { name = "out", shape = ["M", "N"], output = true, also = ["output", "y", "Y"] },
           { name = "mean", count = "M", also = ["mu"] }, { name = "rstd", count = "M", also = ["rs"] }]
scalars = [{ name = "eps", value = 1e-5, also = ["epsilon"] }]
check   = ["out[row, column] == (inp[row, column] - sum(k, 0, N, inp[row, k]) / N) / sqrt(sum(j, 0, N, (inp[row, j] - sum(k, 0, N, inp[row, k]) / N) ^ 2) / N + eps) * weight[column] + bias[column]",
           "mean[i] == sum(k, 0, N, inp[i, k]) / N",
           "rstd[i] == 1 / sqrt(sum(j, 0, N, (inp[i, j] - sum(k, 0, N, inp[i, k]) / N) ^ 2) / N + eps)"]
)t",
     kEachRow,
     R"t(extern "C" __global__ void layer_norm(float* out, const float* inp, const float* weight, const float* bias, int M, int N, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  const float* x = inp + row * N;
  float mean = 0, variance = 0;
  for (int k = 0; k < N; ++k) mean += x[k] / N;
  for (int k = 0; k < N; ++k) variance += (x[k] - mean) * (x[k] - mean) / N;
  float rstd = rsqrtf(variance + eps);
  for (int k = 0; k < N; ++k) out[row * N + k] = (x[k] - mean) * rstd * weight[k] + bias[k];
}
)t"},
    {"spmv", "Sparse matrix times vector",
     "y = A x, A in rows of values and columns (CSR), E a row on average", R"t(
sizes   = { M = { value = 4096, also = ["rows", "num_rows", "n_rows", "m", "n", "N", "dim"] }, E = 16 }
buffers = [{ name = "rows", count = "M + 1", fill = "floor(i * E - (i % 2) * E / 2)", gaps = "floor(i / 2) * 2 * E", also = ["row_ptr", "rowptr", "row_offsets", "ptr", "rowPtr", "row_ptrs", "Ap", "csrRowPtr"] },
           { name = "columns", count = "(M + 1) * E", fill = "random(0, M)", also = ["col_idx", "cols", "indices", "col_ind", "colIdx", "col_index", "Aj", "csrColInd", "col_indices"] },
           { name = "values", count = "(M + 1) * E", also = ["vals", "data", "val", "Ax", "csrVal", "A"] },
           { name = "x", count = "M", also = ["X", "vec", "in", "v"] }, { name = "y", count = "M", also = ["Y", "out", "result", "output"] }]
check   = "y[i] == sum(k, rows[i], rows[i + 1], values[k] * x[columns[k]])"
operations = "2 * M * E"
)t",
     kEachRow,
     R"t(extern "C" __global__ void spmv(int M, const int* rows, const int* columns, const float* values, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = rows[row]; k < rows[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
)t",
     true},
};

}  // namespace

std::span<const KindText> kind_texts() { return kKinds; }

const KindText* find_kind_text(std::string_view name) {
  for (const KindText& kind : kKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

std::string kernel_file_of(const KindText& kind) {
  if (!kind.own_check.empty())
    return fmt::format("/*---\ntitle = \"{}\"\nidea  = \"{}.\"\n[problem]\nkind  = \"{}\"\n{}\n{}---*/\n{}",
                       kind.title, kind.what, kind.name, kind.own_check, kind.launch, kind.code);
  return fmt::format("/*---\ntitle   = \"{}\"\nproblem = \"{}\"\nidea    = \"{}.\"\n{}---*/\n{}", kind.title,
                     kind.name, kind.what, kind.launch, kind.code);
}

}  // namespace warplens::problem
