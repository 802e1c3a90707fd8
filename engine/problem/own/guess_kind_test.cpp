// Where the body of a pasted kernel, or its host code, says otherwise than the names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {
namespace {

using testing::HasSubstr, testing::Not;

struct Told {
  const char* name;
  const char* code;
  std::vector<std::string> has, has_not = {};
};
const Told kTold[] = {
    {"a_sum_of_matrices_is_no_product",
     "__global__ void sumMatrix(float* A, float* B, float* C, int nx, int ny) {\n"
     "  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y, i = y * nx "
     "+ "
     "x;\n  if (x < nx && y < ny) C[i] = A[i] + B[i];\n}\n",
     {"the file does not say what", "count = \"nx * ny\""},
     {"sgemm"}},
    {"a_product_of_tiles",
     "__global__ void mm(float* A, float* B, float* C, int n) {\n"
     "  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y; float s = "
     "0;\n"
     "  for (int k = 0; k < n; k++) { float a = A[y * n + k], b = B[k * n + x]; s += a * b; }\n"
     "  C[y * n + x] = s;\n}\n",
     {"problem = \"sgemm\""}},
    {"a_matrix_is_no_vector",
     "__global__ void add(const float* A, const float* B, float* C, int n) {\n"
     "  int row = blockIdx.x * blockDim.x + threadIdx.x; if (row >= n) return;\n"
     "  for (int c = 0; c < n; ++c) C[row * n + c] = A[row * n + c] + B[row * n + c];\n}\n",
     {"the file does not say what"},
     {"vector_add"}},
    {"twice_the_size_is_a_vector",
     "__global__ void add(const float* A, const float* B, float* C, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (2 * i < 2 * n) C[i] = A[i] + B[i];\n}\n",
     {"vector_add"}},
    {"a_square_of_the_host",
     "__global__ void most(const float* A, const float* x, float* o, int n) {\n"
     "  int i = blockDim.x * blockIdx.x + threadIdx.x; float m = 0;\n"
     "  if (i < n) { for (int j = 0; j < n; j++) m = fmaxf(m, x[j] + A[i * n + j]); o[i] = m; }\n}\n"
     "void f(int n) { float *A, *x, *o; cudaMalloc((void**)&A, sizeof(float) * n * n);\n"
     "  cudaMalloc((void**)&x, sizeof(float) * n); cudaMalloc((void**)&o, sizeof(float) * n);\n"
     "  most<<<(n + 255) / 256, 256>>>(A, x, o, n); }\n",
     {"{ name = \"A\", count = \"n * n\"", "{ name = \"x\", count = \"n\"", "{ name = \"o\", count = \"n\"",
      "n = 4096"},
     {"vector_add"}},
    {"a_leaky_relu",
     "__global__ void reluActivation(float* a, float* c, int n) {\n"
     "  int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) { float v = a[i]; c[i] = fmaxf(v, 0.01f * "
     "v); "
     "}\n}\n",
     {},
     {"max(in[i], 0)"}},
    {"a_relu",
     "__global__ void relu(float* a, float* c, int n) {\n"
     "  int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) c[i] = fmaxf(a[i], 0.0f);\n}\n",
     {"max(in[i], 0)"}},
    {"a_scan_of_what_is_before",
     "__global__ void scan(float* in, float* out, int n) {\n"
     "  __shared__ float t[256]; int i = threadIdx.x; t[i] = i > 0 ? in[i - 1] : 0; __syncthreads();\n"
     "  for (int s = 1; s < 256; s *= 2) { float v = i >= s ? t[i - s] : 0; __syncthreads(); t[i] += v; "
     "__syncthreads(); }\n  if (i < n) out[i] = t[i];\n}\n",
     {"scan_exclusive"}},
    {"a_scan_that_adds_its_own",
     "__global__ void scan(float* in, float* out, int n) {\n"
     "  __shared__ float t[256]; int i = threadIdx.x; t[i] = in[i]; if (i == 0) t[n - 1] = 0;\n"
     "  for (int s = 1; s < 256; s *= 2) t[i] += t[s];\n  out[i] = t[i] + in[i];\n}\n",
     {"\"scan\""}},
    {"a_sum_of_products_a_block",
     "__global__ void vecDot(const float* A, const float* B, float* C, int N) {\n"
     "  __shared__ float s[256]; int i = threadIdx.x; s[i] = A[i] * B[i]; __syncthreads();\n"
     "  for (int b = 128; b > 0; b /= 2) { if (i < b) s[i] += s[i + b]; __syncthreads(); }\n"
     "  if (i == 0) C[blockIdx.x] = s[0];\n}\n",
     {"the file does not say what"},
     {"\"dot\""}},
    {"a_scan_of_cub_that_leaves_out_its_own",
     "#include <cub/block/block_scan.cuh>\nusing namespace cub;\n"
     "template <int T, BlockScanAlgorithm A> __global__ void scanK(const int* in, int* out) {\n"
     "  typedef BlockScan<int, T, A> S; __shared__ typename S::TempStorage t; int v = in[threadIdx.x], r;\n"
     "  S(t).ExclusiveSum(v, r); out[threadIdx.x] = r;\n}\n"
     "int main() { int *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); scanK<256, "
     "BLOCK_SCAN_RAKING><<<1, 256>>>(a, b); }\n",
     {"kind    = \"scan_exclusive\"", "kernel  = \"scanK<256, BLOCK_SCAN_RAKING>\""}},
    {"a_scan_that_writes_one_element",
     "__global__ void scan(const int* in, int* out) { int v = in[threadIdx.x]; if (threadIdx.x == 0) out[0] "
     "= v; "
     "}\n",
     {"the file does not say what"}},
    {"a_scan_of_bits",
     "__global__ void scan(int* out, const int* in) {\n"
     "  out[threadIdx.x] = __popc(__ballot_sync(~0u, in[threadIdx.x] > 0));\n}\n",
     {"the file does not say what"}},
    {"an_output_by_reference",
     "__device__ void sum(double x, const double& y, double& z) { z = x + y; }\n"
     "__global__ void both(const double* x, double* y, double* z, int n) {\n"
     "  int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) sum(x[i], y[i], z[i]);\n}\n",
     {"check = \\\"z[i] == ...", "{ name = \"z\", count = \"n\", fill = \"random\", output = true }"}},
    {"a_pointer_in_braces",
     "__global__ void twice(const float* A, float* C, unsigned m, unsigned k) {\n"
     "  unsigned i{blockIdx.x * blockDim.x + threadIdx.x}; if (i < m) { float* p{C + i}; *p = A[i] * 2.f; "
     "}\n}\n",
     {"check = \\\"C[i] == ..."}},
    {"a_number_that_is_held",
     "__global__ void step(const float* x, float* o, int n, int t) { int i = threadIdx.x; if (i < n) o[i] = "
     "x[i] "
     "+ t; }\n"
     "int main() { int n = 64; float *x, *o; cudaMalloc(&x, n * 4); cudaMalloc(&o, n * 4); step<<<1, "
     "64>>>(x, o, "
     "n, 1); }\n",
     {"sizes   = { n = 64 }", "scalars = [{ name = \"t\", value = 1 }]"}},
    {"a_number_of_elements_that_is_not",
     "__global__ void step(const float* x, float* o, int n, float t) { int i = threadIdx.x; if (i < n) o[i] "
     "= "
     "x[i] + t; }\n"
     "int main() { float *x, *o; cudaMalloc(&x, 256); cudaMalloc(&o, 256); step<<<1, 64>>>(x, o, 64, 1); }\n",
     {"sizes   = { n = 64 }"}},
    {"a_stride_that_is_a_size",
     "__global__ void fill(float* x, unsigned m, unsigned n, unsigned ldc) {\n"
     "  unsigned i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y; if (i < m && j < n) "
     "x[i + "
     "j * ldc] = 0;\n}\n"
     "void go(float* x, unsigned m, unsigned n) { unsigned const ldc{m};\n"
     "  fill<<<dim3((m + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(x, m, n, ldc); }\n",
     {"scalars = [{ name = \"ldc\", value = \"m\" }]"}},
    {"edges_in_arrays",
     "__global__ void pass(unsigned* d, unsigned n, unsigned k) {\n"
     "  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;\n"
     "  d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);\n}\n"
     "void go(unsigned n) { unsigned* d; cudaMalloc(&d, n * n * 4); unsigned g[2] = {n, n}, l[2] = {16, "
     "16};\n"
     "  dim3 grid(g[0] / l[0], g[1] / l[1]), block(l[0], l[1]);\n"
     "  for (unsigned i = 0; i < n; i++) pass<<<grid, block>>>(d, n, i); }\n",
     {"block   = [16, 16]  # as launched in the file",
      "grid    = [\"floor_div(n, 16)\", \"floor_div(n, 16)\"]  # as launched in the file",
      "count = \"n * n\""}},
    {"a_kernel_that_is_passed_on",
     "__global__ void fade(const float* in, float* out, int rows, int cols) { extern __shared__ float s[];\n"
     "  s[threadIdx.x] = in[blockIdx.x * cols]; out[blockIdx.x * cols] = s[threadIdx.x]; }\n"
     "void bench(void (*k)(const float*, float*, int, int), float* a, float* b, int rows, int cols, int "
     "size, "
     "size_t bytes) {\n  k<<<rows, size, bytes>>>(a, b, rows, cols); }\n"
     "int main() { float *x, *y; cudaMalloc(&x, 64 * 1000 * 4); cudaMalloc(&y, 64 * 1000 * 4);\n"
     "  bench(other, x, y, 1, 2, 3, 4); bench(fade, x, y, 64, 1000, 128, 2 * 128 * sizeof(float)); }\n",
     {"block   = [128]  # as launched in the file", "shared  = 1024  # as launched in the file",
      "rows = 64, cols = 1000"}},
    {"bytes_of_shared_memory_in_a_variable",
     "__global__ void keep(const float* f, float* o, int r, int s) { extern __shared__ float t[];\n"
     "  for (int i = threadIdx.x; i < r * s; i += 32) t[i] = f[i]; o[threadIdx.x] = t[0] + t[r * s - 1]; }\n"
     "void go(const float* f, float* o, int r, int s) { int bytes = r * s * sizeof(float);\n"
     "  keep<<<1, 32, bytes>>>(f, o, r, s); }\n",
     {"shared  = \"4 * r * s\"  # as launched in the file", "r = 64, s = 128"}},
    {"what_all_calls_pass",
     "__global__ void fill(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] "
     "= i; "
     "}\n"
     "void go(int n) { float* x; cudaMalloc(&x, n * 4); fill<<<(n + 63) / 64, 64>>>(x, n); }\n"
     "int main() { go(1000); }\n",
     {"n = 1000"}},
};

class Telling : public testing::TestWithParam<Told> {};

TEST_P(Telling, GoesBeforeNames) {
  const std::string guessed = guessed_front_matter(GetParam().code);
  for (const std::string& part : GetParam().has) EXPECT_THAT(guessed, HasSubstr(part));
  for (const std::string& part : GetParam().has_not) EXPECT_THAT(guessed, Not(HasSubstr(part)));
  const auto spec = catalog::parse_kernel("/*---\n" + guessed + "---*/\n" + GetParam().code, "x", "x.cu");
  ASSERT_TRUE(spec) << to_line(spec.error()) << guessed;
  const auto problem = find_problem(*spec);
  EXPECT_TRUE(problem) << to_line(problem.error()) << guessed;
}
INSTANTIATE_TEST_SUITE_P(All, Telling, testing::ValuesIn(kTold),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace warplens::problem
