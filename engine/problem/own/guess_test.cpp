// The front matter that is guessed for kernels as people paste them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/problem/body/pointer_use.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {
namespace {

using testing::AllOf, testing::HasSubstr, testing::Not;

TEST(Guess, SeesTheKindTheLaunchAndTheTile) {
  EXPECT_EQ(
      guessed_front_matter(
          "#define TILE 16\n__global__ void matMulTiled(float* A, float* B, float* C, int N) {\n"
          "  __shared__ float a[TILE][TILE]; int r = threadIdx.y + blockIdx.y; for (;;) C[r] += A[r] * B[r]; "
          "}\n"),
      "title   = \"matMulTiled\"\nproblem = \"sgemm\"  # guessed\n[launch]\nblock   = [16, 16]  # guessed\n"
      "grid    = [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\"]  # guessed\n");
  EXPECT_EQ(guessed_front_matter("__global__ void add(float* a, float* b, float* c, int n) { int i = "
                                 "threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }\n"
                                 "int main() { int threads = 512; int n = atoi(\"7\"); add<<<(n + 511) / "
                                 "512, threads>>>(a, b, c, n); }\n"),
            "title   = \"add\"\nproblem = \"vector_add\"  # guessed\n[launch]\nblock   = [512]  # as "
            "launched in the file\n"
            "grid    = [\"ceil_div(N, 512)\"]  # as launched in the file\n");
  EXPECT_THAT(guessed_front_matter(
                  "__global__ void mystery(const float* p, float* q, int n, float w) { q[n] = p[n]; }\n"),
              HasSubstr("none    = "));
  EXPECT_EQ(guessed_front_matter("int main() {}\n"), "");
}

struct Case {
  const char* name;
  const char* code;
  std::vector<std::string> has;
};
const Case kCases[] = {
    {"rows_along_x",
     "__global__ void mm(int M, int N, int K, const float* A, const float* B, float* C) {\n"
     "  const int r = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y * blockDim.y + threadIdx.y;\n"
     "  if (r < M && c < N) { float s = 0; for (int i = 0; i < K; ++i) s += A[r * K + i] * B[i * N + c]; "
     "C[r * N + c] = s; }\n}\n",
     {"block   = [16, 16]", "grid    = [\"ceil_div(M, 16)\", \"ceil_div(N, 16)\"]"}},
    {"edge_in_a_macro",
     "#define BLOCK 32\n__global__ void mm(float* A, float* B, float* C, int n) {\n"
     "  int r = blockIdx.y * BLOCK + threadIdx.y, c = blockIdx.x * BLOCK + threadIdx.x;\n"
     "  if (r < n && c < n) { float s = 0; for (int k = 0; k < n; k++) s += A[r*n+k]*B[k*n+c]; C[r*n+c] = s; "
     "}\n}\n",
     {"block   = [32, 32]", "grid    = [\"ceil_div(N, 32)\", \"ceil_div(M, 32)\"]"}},
    {"dynamic_shared",
     "__global__ void reverse(int* d, int n) { extern __shared__ int s[]; s[n] = d[n]; d[n] = s[n - 1]; }\n"
     "int main() { const int n = 64; int* d; cudaMalloc(&d, n * sizeof(int)); reverse<<<1, n, n * "
     "sizeof(int)>>>(d, n); }\n",
     {"shared  = 256  # as launched in the file", "block   = [64]  # as launched", "grid    = [1]",
      "fill = \"random\", output = true"}},
    {"shared_without_launch",
     "__global__ void f(double* d) { extern __shared__ double s[]; s[threadIdx.x] = d[0]; d[0] = s[1]; }\n",
     {"shared  = 2048  # guessed"}},
    {"template_argument_of_main",
     "template <int BLOCK, int EACH> __global__ void reduce(float* in, float* out) { atomicAdd(out, in[BLOCK "
     "* EACH]); }\n"
     "int main() { const int N = 4096, blocks = 4; const int PER = N / blocks / 256; reduce<256, "
     "PER><<<blocks, 256>>>(a, b); }\n",
     {"kernel  = \"reduce<256, 4>\""}},
    {"bool_argument",
     "template <int B, bool TWICE> __global__ void copy(float* in, float* out) { out[0] = in[0]; }\n"
     "int main() { const bool TWICE = false; copy<8, TWICE><<<1, 8>>>(a, b); }\n",
     {"kernel  = \"copy<8, false>\""}},
    {"what_another_kernel_fills",
     "__global__ void fill(int* x, int n) { x[threadIdx.x] = n; }\n"
     "__global__ void show(int* x, int n, int want) { if (x[n - 1] != want) printf(\"no\"); }\n"
     "int main() { int* x; cudaMalloc(&x, 20); fill<<<1, 5>>>(x, 5); show<<<1, 1>>>(x, 5, 4); }\n",
     {"{ name = \"x\", count = \"n\", fill = \"random\" }"}},
    {"a_product_whose_inner_size_is_called_N",
     "__global__ void matmul(const float* P, const float* V, float* out, int M, int N, int d) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y; float s = "
     "0;\n"
     "  for (int j = 0; j < N; j++) s += P[i * N + j] * V[j * d + k]; if (i < M && k < d) out[i * d + k] = "
     "s; }\n",
     {"kind    = \"sgemm\"", "order   = [\"A\", \"B\", \"C\", \"M\", \"K\", \"N\"]"}},
    {"a_width_of_a_filter",
     "__global__ void blur(const float* in, float* out, int w, int k) { __shared__ float s[24][24];\n"
     "  int p = k / 2, x = blockIdx.x * 16 + threadIdx.x; s[threadIdx.y][threadIdx.x + p] = in[x]; out[x] = "
     "w; }\n"
     "void go(float* a, float* b, int w, int k) { blur<<<w / 16, dim3(16, 16)>>>(a, b, w, k); }\n",
     {"w = 256, k = 3 }  # no more than a guess: k\n"}},
    {"a_grid_of_guessed_sizes_that_is_not_empty",
     "__global__ void k(float* out, int n, int p, int q) { int i = blockIdx.x * 512 + threadIdx.x;\n"
     "  if (i < n) out[i] = p + q; }\n"
     "void go(float* o, int n, int p, int q) { k<<<n / 512, 512>>>(o, n, p, q); }\n",
     {"n = 512", "grid    = [\"floor_div(n, 512)\"]"}},
    {"numbers_of_the_launch",
     "__global__ void k(float* out, int n, float dt, float eps) { int i = threadIdx.x; out[i] = n * dt + "
     "eps; }\n"
     "int main() { const float dt = 0.01f; k<<<1, 32>>>(o, 100, dt, 1e-6); }\n",
     {"{ name = \"dt\", value = 0.01 }, { name = \"eps\", value = 1e-06 }"}},
    {"equal_sizes_by_what_the_host_counts",
     "__global__ void k(float* a, float* b, int nx, int ny) { int i = threadIdx.x; b[i * nx] = a[i * ny]; }\n"
     "int main() { int nx = 1 << 6, ny = 1 << 6; int nxy = nx * ny; size_t bytes = nxy; bytes *= "
     "sizeof(float);\n"
     "  float *a, *b; cudaMalloc(&a, bytes); cudaMalloc(&b, ny * 4); k<<<1, 64>>>(a, b, nx, ny); }\n",
     {"{ name = \"a\", count = \"nx * ny\"", "{ name = \"b\", count = \"ny\""}},
    {"default_of_the_hosts_template",
     "template <int B> __global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * B + "
     "threadIdx.x; if (i < n) y[i] = x[i]; }\n"
     "template <int B = 128> void go(float* x, float* y, int n) { k<B><<<(n + B - 1) / B, B>>>(x, y, n); }\n"
     "int main() { go(x, y, 1000); }\n",
     {"kernel  = \"k<128>\"", "block   = [128]  # as launched", "grid    = [\"ceil_div(N, 128)\"]"}},
    {"template_without_a_launch",
     "template <int THREADS_PER_BLOCK, int EACH, bool LAST> __global__ void k(const float* x, float* y) {\n"
     "  __shared__ float s[THREADS_PER_BLOCK]; s[threadIdx.x] = x[EACH]; y[blockIdx.x] = s[0]; }\n",
     {"kernel  = \"k<256, 4, false>\"  # guessed"}},
    {"tile_of_a_template_without_a_launch",
     "template <const int BM, const int BN> __global__ void k(const float* x, float* y, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + BM * BN; }\n",
     {"kernel  = \"k<32, 32>\"  # guessed", "block   = [1024]"}},
    {"tile_of_warps",
     "template <int BM, int BN, int WM, int WN> __global__ void k(const float* x, float* y, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + BM * BN * WM * WN; }\n",
     {"kernel  = \"k<64, 64, 32, 32>\"  # guessed", "block   = [256]"}},
    {"sizes_are_constants",
     "const int M = 1 << 10, N = 1 << 11, K = 1 << 9;\n"
     "__global__ void matrixMul(const int* a, const int* b, int* c) { for (int y = blockIdx.y;;) c[y * N] += "
     "a[y * K] * b[y]; }\n"
     "int main() { dim3 t(32, 32), g(N / 32, M / 32); matrixMul<<<g, t>>>(a, b, c); }\n",
     {"M = 1024, N = 2048, K = 512", "block   = [32, 32]"}},
    {"six_sizes",
     "__global__ void MatrixMulKernel(float* P, float* Q, float* R, int rowsA, int colsA, int rowsB, int "
     "colsB, int rowsC, int colsC) {\n"
     "  int r = blockIdx.y, c = blockIdx.x; if (r < rowsC && c < colsC) R[r * colsC + c] = P[r * colsA] * "
     "Q[c]; }\n",
     {"kind    = \"sgemm\"",
      "order   = [\"A\", \"B\", \"C\", \"M\", \"K\", \"lda\", \"N\", \"rows_of_C\", \"columns_of_C\"]"}},
    {"names_are_those_of_inputs",
     "__global__ void dot_prod(float* a, float* b, float* y, int N) { int i = threadIdx.x; if (i < N) "
     "atomicAdd(y, a[i] * b[i]); }\n",
     {"kind    = \"dot\"", "order   = [\"x\", \"y\", \"out\", \"N\"]"}},
    {"one_thread",
     "__global__ void vector_add(float* out, float* a, float* b, int n) { for (int i = 0; i < n; i++) out[i] "
     "= a[i] + b[i]; }\n"
     "int main() { vector_add<<<1, 1>>>(p, q, r, 10000000); }\n",
     {"N = 10000", "block   = [1]", "grid    = [1]"}},
    {"a_maximum_is_no_sum",
     "__global__ void reduce_max(float* in, float* out, size_t n) { out[blockIdx.x] = max(in[threadIdx.x], "
     "in[n - 1]); }\n",
     {"none"}},
    {"partial_sums_have_a_last_block",
     "__global__ void sum(const float* in, float* out, int n) { __shared__ float s[128]; int t = "
     "threadIdx.x;\n"
     "  int i = blockIdx.x * blockDim.x + t; s[t] = i < n ? in[i] : 0; __syncthreads();\n"
     "  if (t == 0) for (int k = 1; k < 128; ++k) s[0] += s[k]; if (t == 0) out[blockIdx.x] = s[0]; }\n"
     "int main() { sum<<<1000, 128>>>(p, q, 128000); }\n",
     {"kind    = \"partial_sums\"", "grid    = [\"ceil_div(ceil_div(N, E) * 128, 128)\"]", "E == 128"}},
    {"unguarded",
     "__global__ void add(float* a, float* b, float* c) { int i = threadIdx.x + blockIdx.x * blockDim.x; "
     "c[i] = a[i] + b[i]; }\n",
     {"N = 1048576"}},
    {"if_around_the_launch",
     "template <int BS> __global__ void matMul(float* C, float* A, float* B, int wA, int wB) { C[blockIdx.y] "
     "= A[wA] * B[wB]; }\n"
     "int main() { int block_size = 32; dim3 threads(block_size, block_size), grid(10, 10);\n"
     "  if (block_size == 16) matMul<16><<<grid, threads>>>(p, q, r, 320, 320);\n"
     "  else matMul<32><<<grid, threads>>>(p, q, r, 320, 320); }\n",
     {"kernel  = \"matMul<32>\"", "block   = [32, 32]"}},
    {"template_without_launch",
     "template <const unsigned TILE> __global__ void sgemm_tile(int M, int N, int K, const float* A, const "
     "float* B, float* C) {\n"
     "  unsigned r = blockIdx.x * TILE + threadIdx.x / TILE, c = blockIdx.y * TILE + threadIdx.x % TILE; C[r "
     "* N + c] = A[K] * B[M]; }\n",
     {"kernel  = \"sgemm_tile<16>\"  # guessed", "block   = [256]",
      "\"ceil_div(N, 16)\", \"ceil_div(M, 16)\""}},
    {"counts_by_cudamalloc",
     "__global__ void column_sums(const float* A, float* sums, size_t ds) { for (size_t i = 0; i < ds; ++i) "
     "sums[0] += A[i]; }\n"
     "const size_t DSIZE = 1024;\nint main() { cudaMalloc(&d_A, DSIZE * DSIZE * sizeof(float)); "
     "cudaMalloc(&d_s, DSIZE * sizeof(float));\n"
     "  column_sums<<<(DSIZE + 255) / 256, 256>>>(d_A, d_s, DSIZE); }\n",
     {"{ name = \"A\", count = \"ds * ds\" }", "{ name = \"sums\", count = \"ds\"",
      "grid    = [\"ceil_div(ds, 256)\"]"}},
    {"grid_of_unknown_sizes",
     "__global__ void sgemm(float* A, float* B, float* C, int M, int N, int K) { C[blockIdx.y] = A[M] * B[N "
     "+ K]; }\n"
     "int main(int argc, char** argv) { size_t M = atoi(argv[1]), N = atoi(argv[2]); const int T = 128;\n"
     "  dim3 block(16, 16); dim3 grid(N / T, M / T); sgemm<<<grid, block>>>(a, b, c, M, N, 8); }\n",
     {"grid    = [\"floor_div(N, 128)\", \"floor_div(M, 128)\"]  # as launched in the file"}},
    {"histogram_of_its_own_bins",
     "#define BINS 64\n__global__ void histogram(int* data, int* bins, int n) { __shared__ int s[BINS];\n"
     "  for (int i = threadIdx.x; i < n; i += gridDim.x) atomicAdd(&s[data[i]], 1); atomicAdd(&bins[0], "
     "s[0]); }\n"
     "int main() { int n = 10000; cudaMalloc(&d, n * sizeof(int)); cudaMalloc(&b, BINS * sizeof(int));\n"
     "  histogram<<<8, 256>>>(d, b, n); }\n",
     {"sizes   = { N = 10000, B = 64 }  # as in the file", "grid    = [8]  # as launched in the file",
      "require = [{ test = \"B == 64\", reason = \"BINS is 64 in the file\" }]"}},
    {"histogram_without_main",
     "#define NUM_BINS 64\n__global__ void hist(int* data, int* bins, int n) { __shared__ int s[NUM_BINS];\n"
     "  if (threadIdx.x < n) atomicAdd(&bins[0], s[data[0]]); }\n",
     {"B = 64", "test = \"B == 64\""}},
    {"block_in_a_macro",
     "#define RADIUS 3\n#define BLOCK 256\n__global__ void stencil_1d(float* in, float* out, int n) {\n"
     "  __shared__ float tmp[BLOCK + 2 * RADIUS]; tmp[threadIdx.x] = in[n]; out[n] = tmp[0]; }\n",
     {"block   = [256]  # as the kernel has it"}},
    {"threads_fill_the_tile",
     "#define TILE 16\n__global__ void matmul(float* A, float* B, float* C, int N) {\n"
     "  __shared__ float As[TILE][TILE]; int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + "
     "ty;\n"
     "  As[ty][tx] = A[row] * B[N]; for (;;) C[row] = As[tx][ty]; }\n",
     {"block   = [16, 16]  # as the kernel has it"}},
    {"edges_that_the_tile_is_counted_by",
     "#define TILE 16\n__global__ void transpose(const float* in, float* out, int width, int height) {\n"
     "  __shared__ float tile[TILE][TILE];\n"
     "  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
     "  tile[threadIdx.y][threadIdx.x + 1] = in[y * width + x]; out[x * height + y] = tile[0][0]; }\n",
     {"block   = [16, 16]  # as the kernel has it"}},
    {"rows_of_a_tile_in_turns",
     "#define TILE 32\n#define ROWS 8\n__global__ void transpose(float* out, const float* in, int width, int "
     "height) {\n  __shared__ float tile[TILE][TILE];\n"
     "  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
     "  for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];\n"
     "  for (int j = 0; j < TILE; j += ROWS) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j]; "
     "}\n",
     {"block   = [32, 32]  # guessed"}},
    {"a_smaller_size_leaves_the_same_rest",
     "__global__ void add(float* a, float* b, float* c, int n) { int i = threadIdx.x; if (i < n) c[i] = a[i] "
     "+ "
     "b[i]; }\nint main() { int n = 10000001; add<<<n / 256, 256>>>(a, b, c, n); }\n",
     {"N = 1048449 }  # smaller than in the file",
      "grid    = [\"floor_div(N, 256)\"]  # as launched in the file"}},
    {"a_size_that_only_main_knows_is_no_larger_than_others",
     "void __global__ add(const double* x, const double* y, double* z) {\n"
     "  const int n = blockDim.x * blockIdx.x + threadIdx.x; z[n] = x[n] + y[n]; }\n"
     "int main() { const int N = 100000000, M = sizeof(double) * N; double *a, *b, *c;\n"
     "  cudaMalloc(&a, M); cudaMalloc(&b, M); cudaMalloc(&c, M); const int block_size = 128, grid_size = N / "
     "block_size;\n"
     "  add<<<grid_size, block_size>>>(a, b, c); }\n",
     {"N = 1048576 }  # smaller than in the file",
      "grid    = [\"floor_div(N, 128)\"]  # as launched in the file"}},
    {"factors_are_neither_0_nor_1",
     "__global__ void sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, "
     "float* "
     "C) {\n  int r = blockIdx.y; for (;;) C[r * N] = alpha * A[K] * B[M] + beta * C[r * N]; }\n",
     {"scalars = [{ name = \"alpha\", value = 1.5 }, { name = \"beta\", value = 0.5 }]",
      "buffers = [{ name = \"C\", shape = [\"M\", \"N\"], fill = \"random\" }]",
      "check   = \"C[row, column] == alpha * sum(k, 0, K, A[row, k] * B[k, column]) + beta * old(C)[row, "
      "column]\""}},
    {"a_lock_takes_turns",
     "__device__ int m;\n__global__ void sum_locked(float* in, float* out, int n) { int i = threadIdx.x;\n"
     "  if (i < n) { while (atomicCAS(&m, 0, 1) != 0); *out += in[i]; atomicExch(&m, 0); } }\n",
     {"N = 2000"}},
    {"the_output_by_its_name",
     "__global__ void mix(float* x, float* y, float* z, float a, int n) { if (threadIdx.x < n) z[0] = a * "
     "x[0] - "
     "y[0]; z[1] = y[1] * x[2]; }\n",
     {"z[i] == "}},
    {"vectors_by_their_own_elements",
     "__global__ void bodies(const float4* pos, float4* force, float dt, int n) { force[n].y = dt * "
     "pos[0].x; }\n"
     "int main() { int n = 1000; cudaMalloc(&p, n * sizeof(float4)); cudaMalloc(&f, n * sizeof(float4));\n"
     "  bodies<<<(n + 127) / 128, 128>>>(p, f, 0.1f, n); }\n",
     {"{ name = \"pos\", type = \"float4\", count = \"n\" }",
      "{ name = \"force\", type = \"float4\", count = \"n\", output"}},
    {"a_kind_of_vectors",
     "__global__ void add4(const float4* a, const float4* b, float4* c, int n) { int i = threadIdx.x; c[i] = "
     "make_float4(a[i].x + b[i].x, 0, 0, n); }\n",
     {"{ name = \"A\", count = \"N\", type = \"float4\" }", "operations = \"4 * (N)\""}},
    {"structs_of_the_file",
     "struct Particle { float x, y, z; float v[3]; float mass() const { return 1; } };\n"
     "__global__ void push(Particle* p, int n) { p[n].x += 1; }\n"
     "int main() { int n = 100; cudaMalloc(&q, n * sizeof(Particle)); push<<<(n + 31) / 32, 32>>>(q, n); }\n",
     {"{ name = \"p\", type = \"float\", parts = 6, count = \"n\"", "n = 100 }  # as in the file"}},
    {"structs_of_several_types",
     "typedef struct { int id; char kind; double weight; } Item;\n"
     "__global__ void weigh(Item* items, double* w, int n) { w[n] = items[n].weight; }\n"
     "int main() { int n = 100; cudaMalloc(&i, n * sizeof(Item)); weigh<<<4, 32>>>(i, w, n); }\n",
     {"{ name = \"items\", type = \"uint32\", parts = 4, count = \"n\""}},
    {"a_product_of_two_arrays_is_no_sum",
     "__global__ void multiply(int* a, int* b, int* c, int n) {\n"
     "  int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) c[i] = a[i] * b[i]; }\n",
     {"write check = "}},
    {"a_part_of_a_struct_beside_others_that_the_host_sets",
     "struct P { float x, y; };\n"
     "__global__ void place(P* p, int n) { p[n].x = 1; }\n"
     "int main() { int n = 100; P* q; cudaMalloc(&q, n * sizeof(P)); setUp(q); place<<<4, 32>>>(q, n); }\n",
     {"parts = 2, count = \"n\", fill = \"random\", output = true"}},
    {"a_struct_that_nobody_sets",
     "struct P { float x, y; };\n"
     "__global__ void place(P* q, int n) { q[n].x = 1; }\n"
     "int main() { int n = 100; P *q, *h; cudaMalloc((void**)&q, n * sizeof(P)); place<<<4, 32>>>(q, n);\n"
     "  cudaMemcpy(h, q, n * sizeof(P), cudaMemcpyDeviceToHost); }\n",
     {"parts = 2, count = \"n\", output = true"}},
    {"a_pointer_into_an_array",
     "__global__ void mean(const float* in, float* out, int n) { out[n] = in[n - 2] + in[n] - out[n]; }\n"
     "int main() { int n = 1000; cudaMalloc(&a, (n + 4) * sizeof(float)); cudaMalloc(&b, 2 * n * "
     "sizeof(float));\n"
     "  mean<<<(n + 127) / 128, 128>>>(a + 2, &b[n], n); }\n",
     {"{ name = \"in\", count = \"n + 4\", first = \"2\" }",
      "{ name = \"out\", count = \"2 * n\", first = \"n\", fill", "n = 1000 }  # as in the file"}},
    {"a_grid_of_its_own_function",
     "__global__ void scale(float* a, int n, int m) { a[blockIdx.x * 64 + threadIdx.x] *= n + m; }\n"
     "void flat(float* a, int n) { dim3 grid((n + 63) / 64); scale<<<grid, 64>>>(a, n, 2); }\n"
     "void deep(float* a) { int m = 64; dim3 grid(m / 8, m / 8); other<<<grid, 64>>>(a, m); }\n",
     {"grid    = [\"ceil_div(n, 64)\"]  # as launched"}},
    {"cooperative_launch",
     "__global__ void steps(float* a, int n, int count) { a[n] = count; }\n"
     "int main() { int n = 512, count = 4; float* a; cudaMalloc(&a, n * 4); void* args[] = {&a, &n, "
     "(void*)&count};\n"
     "  cudaLaunchCooperativeKernel((void*)steps, dim3(4), dim3(128), args, 0, 0); }\n",
     {"n = 512 }", "{ name = \"count\", value = 4 }", "block   = [128]  # as launched",
      "grid    = [4]  # as launched"}},
    {"launch_by_a_configuration",
     "__global__ void fill(float* a, int n) { a[n] = 1; }\n"
     "int main() { int n = 512; cudaLaunchConfig_t config = {}; config.gridDim = dim3(n / 64); "
     "config.blockDim = 64;\n"
     "  cudaLaunchKernelEx(&config, fill, a, n); }\n",
     {"n = 512", "block   = [64]  # as launched", "grid    = [\"floor_div(n, 64)\"]"}},
    {"memset_of_outputs",
     "__global__ void most(const int* in, int* place, float* sum, int n) { if (in[n]) atomicMax(place, n); "
     "*sum = *sum + 1; }\n"
     "int main() { cudaMemset(p, 0xff, 4); cudaMemset(s, 0, 4); most<<<1, 32>>>(in, p, s, 9); }\n",
     {"{ name = \"place\", count = \"n\", fill = \"-1\"",
      "{ name = \"sum\", count = \"n\", fill = \"zero\""}},
    {"a_result_that_the_host_clears",
     "__global__ void gemv(const float* A, const float* x, float* y, int M, int N) { y[M] += A[N] * x[0]; }\n"
     "int main() { cudaMemset(y, 0, 4 * m); gemv<<<4, 32>>>(A, x, y, 128, 100); }\n",
     {"{ name = \"y\", count = \"M\", fill = \"zero\" }"}},
    {"relu_says_what_is_right",
     "__global__ void relu(const float* in, float* out, int n) { if (threadIdx.x < n) out[n] = fmaxf(in[n], "
     "0); }\n",
     {"kind    = \"map\"", "check   = \"out[i] == max(in[i], 0)\""}},
    {"a_block_of_n_threads",
     "__global__ void reverse(float* d, int n) { d[threadIdx.x] = d[n - threadIdx.x]; }\n"
     "int main() { const int n = 64; reverse<<<1, n>>>(d, n); }\n",
     {"test = \"n == 64\", reason = \"n is 64 in the file\""}},
    {"no_shared_bytes",
     "__global__ void copy(float* in, float* out, int n) { extern __shared__ float s[]; s[0] = in[n]; out[n] "
     "= s[0]; }\n"
     "int main() { copy<<<4, 64>>>(a, b, 256); }\n",
     {"grid    = [4]  # as launched in the file\n"}},
    {"constant_memory",
     "__constant__ float mask[7];\n__global__ void conv1d(float* in, float* out, int n) { out[n] = in[n] * "
     "mask[0]; }\n",
     {"none"}},
};

class GuessCase : public testing::TestWithParam<Case> {};

TEST_P(GuessCase, IsWhatTheCodeSays) {
  const std::string guessed = guessed_front_matter(GetParam().code);
  for (const std::string& part : GetParam().has) EXPECT_THAT(guessed, HasSubstr(part));
  const auto spec = catalog::parse_kernel("/*---\n" + guessed + "---*/\n" + GetParam().code, "x", "x.cu");
  ASSERT_TRUE(spec) << to_line(spec.error()) << guessed;
  const auto problem = find_problem(*spec);
  EXPECT_TRUE(problem) << to_line(problem.error()) << guessed;
}
INSTANTIATE_TEST_SUITE_P(All, GuessCase, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(PointerUse, IsReadOffTheBody) {
  const auto use = [](const char* body, const char* name) {
    const PointerUse found = use_of(body, name);
    return std::string(found.is_read ? "r" : "") + (found.is_written ? "w" : "") +
           (found.is_added_to ? "a" : "") + (found.is_passed_on ? "p" : "");
  };
  EXPECT_EQ(use("{ out[i] = in[i] * 2; }", "out"), "w");
  EXPECT_EQ(use("{ out[i] = in[i] * 2; }", "in"), "r");
  EXPECT_EQ(use("{ y[i] += a * x[i]; }", "y"), "rw");
  EXPECT_EQ(use("{ *sum = *x; }", "sum"), "w");
  EXPECT_EQ(use("{ *sum = *x; }", "x"), "r");
  EXPECT_EQ(use("{ z = a * x[3]; }", "x"), "r");
  EXPECT_EQ(use("{ atomicAdd(&bins[data[i]], 1); }", "bins"), "wa");
  EXPECT_EQ(use("{ atomicAdd(&bins[data[i]], 1); }", "data"), "r");
  EXPECT_EQ(use("{ atomicAdd(&(y[a[i]]), 1); }", "y"), "wa");
  EXPECT_EQ(use("{ atomicAdd(y, x[i]); }", "x"), "r");
  EXPECT_EQ(use("{ float* row = out + i * C; row[j] = 1; }", "out"), "w");
  EXPECT_EQ(use("{ A += i * K; C += j; C[0] = A[0]; }", "C"), "w");
  EXPECT_EQ(use("{ reinterpret_cast<float4*>(&C[i])[0] = v; }", "C"), "w");
  EXPECT_EQ(use("{ FLOAT4(C[i]) = v; }", "C"), "w");
  EXPECT_EQ(use("{ v = FLOAT4(A[i]); }", "A"), "r");
  EXPECT_EQ(use("{ ((float4*)b)[i] = v; }", "b"), "w");
  EXPECT_EQ(use("{ p[i].x = 1; }", "p"), "w");
  EXPECT_EQ(use("{ x = __ldg(in + i); }", "in"), "r");
  EXPECT_EQ(use("{ multiply<32>(C, A, B); }", "A"), "p");
  EXPECT_EQ(use("{ if (a[i] == 1) b = 2; }", "a"), "r");
  EXPECT_EQ(use("{ n = 1; }", "x"), "");
}

struct Grid {
  const char* name;
  const char* written;
  const char* expression;
};
// With "int n = 1000; const int T = 256;" before it.
const Grid kGrids[] = {
    {"up", "(n + T - 1) / T", "\"ceil_div(N, 256)\""},
    {"up_otherwise", "(n - 1) / T + 1", "\"ceil_div(N, 256)\""},
    {"up_by_ceil", "ceil(n / 256.0)", "\"ceil_div(N, 256)\""},
    {"up_by_a_rest", "n / T + (n % T != 0)", "\"ceil_div(N, 256)\""},
    {"up_by_a_choice", "n % T ? n / T + 1 : n / T", "\"ceil_div(N, 256)\""},
    {"down", "n / T", "\"floor_div(N, 256)\""},
    {"down_and_one", "n / T + 1", "\"floor_div(N, 256) + 1\""},
    {"of_another_name", "blocks", "\"floor_div(N, 256)\""},
    {"limited", "min((n + T - 1) / T, 64)", "\"min(ceil_div(N, 256), 64)\""},
    {"one_each", "n", "\"N\""},
    {"number", "3", "3"},
    {"number_that_fits", "4", "4"},
};
class GuessedGrid : public testing::TestWithParam<Grid> {};

TEST_P(GuessedGrid, IsTheOneThatIsLaunched) {
  const std::string code =
      "__global__ void add(float* a, float* b, float* c, int n) { int i = threadIdx.x; if (i < n) c[i] = "
      "a[i] + "
      "b[i]; }\nint main() { int n = 1000; const int T = 256; int blocks = n / T; add<<<" +
      std::string(GetParam().written) + ", T>>>(a, b, c, n); }\n";
  const std::string guessed = guessed_front_matter(code);
  EXPECT_THAT(guessed,
              HasSubstr("grid    = [" + std::string(GetParam().expression) + "]  # as launched in the file"));
  EXPECT_THAT(guessed, HasSubstr("N = 1000"));
}
INSTANTIATE_TEST_SUITE_P(All, GuessedGrid, testing::ValuesIn(kGrids),
                         [](const auto& one) { return std::string(one.param.name); });

// Read to its ends for each of its names, a statement of a megabyte would take minutes.
TEST(PointerUse, GivesUpStatementsThatNeverEnd) {
  for (const std::string part : {"a ", "(a ", "a[", "<a>(a "}) {
    std::string body = "{ a[0] = b[0]; c = ";
    while (body.size() < (1u << 20)) body += part;
    EXPECT_TRUE(use_of(body, "a").is_written) << part;
    EXPECT_FALSE(use_of(body, "b").is_written) << part;
  }
}

TEST(HostCode, ReadsALaunch) {
  const HostCode host(
      "#define T 32\n__global__ void k(float* a, int n);\nint main() {\n"
      "  // k<<<9, 9>>>(a, 9);\n  int n = 1000; size_t bytes = n * sizeof(float); float *h, *d;\n"
      "  cudaMalloc((void**)&d, bytes); cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);\n"
      "  dim3 block(T, T / 4), grid((n + block.x - 1) / block.x);\n  k<<<grid, block, 2 * T>>>(d + 1, n);\n"
      "  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);\n}\n");
  const auto launch = host.launch_of("k");
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->line, 8);
  EXPECT_EQ(launch->grid, std::vector<std::int64_t>{32});
  EXPECT_EQ(launch->block, (std::vector<std::int64_t>{32, 8}));
  EXPECT_EQ(launch->shared, 64);
  EXPECT_EQ(launch->values[1], 1000);
  EXPECT_EQ(host.bytes_of(launch->arguments[0], launch->at), 4000);
  EXPECT_TRUE(host.is_copied_back("d"));
  EXPECT_FALSE(host.is_copied_back("h"));
  EXPECT_TRUE(host.is_filled("d", launch->at));
  EXPECT_FALSE(host.launch_of("other"));
}

// What host code does to a number on its way to the launch k<<<grid, 256>>>(a, n).
struct Followed {
  const char* name;
  const char* host;
  std::optional<std::int64_t> blocks, n = 1000;
};
const Followed kFollowed[] = {
    {"added", "int grid = n / 256; grid += 1;", 4},
    {"counted_up", "int grid = n / 256; grid++; ++grid;", 5},
    {"under_an_if", "int grid = n / 256; if (n % 256 != 0) grid++;", 4},
    {"under_one_that_does_not_hold", "int grid = n / 250; if (n % 250) grid++;", 4},
    {"in_its_else", "int grid = 0; if (n < 256) grid = 1; else { grid = n / 256; grid += 2; }", 5},
    {"shifted", "int grid = 16; grid >>= 1; grid <<= 2;", 32},
    {"multiplied_and_divided", "n *= 4; n /= 2; int grid = n / 256;", 7, 2000},
    {"of_itself", "int grid = n / 256; if (grid * 256 < n) grid = grid + 1;", 4},
    {"a_member", "dim3 grid(n / 256); if (n % 256) grid.x++;", 4},
    {"a_member_set", "dim3 grid(1); grid.x = (n + 255) / 256;", 4},
    {"a_member_of_none", "dim3 grid; grid.x = n / 256; grid.x += 1;", 4},
    {"by_a_loop", "int grid = n / 256; while (grid * 256 < n) ++grid;", std::nullopt},
    {"by_a_for", "int grid = 0; for (int t = n; t > 1; t >>= 1) grid++;", std::nullopt},
    {"who_knows", "int grid = 4; if (fast()) grid *= 2;", std::nullopt},
    {"without_arguments", "int grid = 4; if (argc > 1) grid *= atoi(argv[1]);", 4},
};
class HostSteps : public testing::TestWithParam<Followed> {};

TEST_P(HostSteps, AreFollowedToTheLaunch) {
  const Followed& one = GetParam();
  const HostCode host(
      "__global__ void k(float* a, int n) { a[n] = 0; }\nvoid other() { int grid = 1, n = 5; "
      "grid += 8; n++; }\nint main(int argc, char** argv) { "
      "int n = 1000; " +
      std::string(one.host) + " k<<<grid, 256>>>(a, n); grid++; n *= 3; }\n");
  const auto launch = host.launch_of("k");
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, one.blocks ? std::vector{*one.blocks} : std::vector<std::int64_t>());
  EXPECT_EQ(launch->values[1], one.n);
  EXPECT_FALSE(launch->is_grid_certain && one.blocks != launch->grid[0]);
}
INSTANTIATE_TEST_SUITE_P(All, HostSteps, testing::ValuesIn(kFollowed),
                         [](const auto& one) { return std::string(one.param.name); });

// The loop around a launch has its first turn when the kernel runs first.
TEST(HostCode, TakesTheFirstTurnOfTheLoopAroundALaunch) {
  const HostCode host(
      "__global__ void k(float* a, int s, int n) { a[n] = s; }\n"
      "int main() { int n = 64; for (int s = 1; s < 9; s *= 2) { n /= 2; k<<<n, 32>>>(a, s, n); } }\n");
  EXPECT_EQ(host.launch_of("k")->values[1], 1);
  EXPECT_EQ(host.launch_of("k")->values[2], 32);
}

// A grid that follows the size is one at other sizes too.
TEST(Guess, RoundsUpWhereAnIfDoes) {
  for (const char* rounds :
       {"if (n % 256) grid++;", "if (n % 256 != 0) grid += 1;", "if (grid * 256 < n) { grid = grid + 1; }"})
    EXPECT_THAT(guessed_front_matter("__global__ void add(float* a, float* b, float* c, int n) { int i = "
                                     "threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }\n"
                                     "void go(float* a, float* b, float* c, int n) { int grid = n / 256; " +
                                     std::string(rounds) + " add<<<grid, 256>>>(a, b, c, n); }\n"),
                HasSubstr("grid    = [\"ceil_div(N, 256)\"]  # as launched in the file"))
        << rounds;
}

TEST(HostCode, KnowsTheAllocationOfTheLaunchingFunction) {
  const HostCode host(
      "__global__ void k(float* x, float* y);\n__global__ void m(float* x);\n"
      "void one() { float* x; cudaMalloc(&x, 400); cudaMemset(x, 0, 400); m<<<1, 100>>>(x); }\n"
      "void two(float* y) { int n = 8; size_t bytes = n; bytes *= sizeof(float); float* x; cudaMalloc(&x, "
      "16);\n"
      "  cudaMalloc(&x, bytes); k<<<1, 8>>>(x, y); cudaMalloc(&x, 64); }\n"
      "void three() { float* y; cudaMalloc(&y, 100); two(y); }\n");
  const std::size_t at = host.launch_of("k")->at;
  EXPECT_EQ(host.bytes_of("x", at), 32);
  EXPECT_EQ(host.bytes_of("y", at), 100);
  EXPECT_EQ(host.bytes_of("x", host.launch_of("m")->at), 400);
  EXPECT_FALSE(host.is_filled("x", at));
  EXPECT_EQ(host.byte_set("x", host.launch_of("m")->at), 0);
  const HostCode copied(
      "void go() { int *f, one = 1; cudaMalloc(&f, 400); cudaMemset(f, 0, 400);\n"
      "  cudaMemcpy(f, &one, 4, cudaMemcpyHostToDevice); k<<<1, 1>>>(f); }\n");
  EXPECT_EQ(copied.byte_set("f", copied.launch_of("k")->at), std::nullopt);
}

struct Refused {
  const char* name;
  const char* host;  // around add(a, b, c, n)
  const char* says;  // empty: it may run
};
const Refused kRefused[] = {
    {"many_threads", "int n = 9000; add<<<(n + 2047) / 2048, 2048>>>(a, b, c, n);",
     "blocks of 2,048 threads"},
    {"many_in_two_edges", "dim3 block(64, 32); add<<<9, block>>>(a, b, c, n);", "2,048 threads (64 x 32)"},
    {"deep", "add<<<9, dim3(1, 1, 128)>>>(a, b, c, n);", "along z a block has 64 threads"},
    {"no_blocks", "const int n = 200; add<<<n / 256, 256>>>(a, b, c, n);",
     "grid of 0 blocks along x: n / 256 is cut"},
    {"many_along_y", "add<<<dim3(1, 70000), 256>>>(a, b, c, n);", "70,000 blocks along y"},
    {"as_many_as_fit", "add<<<9, 1024>>>(a, b, c, n);", ""},
    {"changed_later", "int t = 2048; t /= 2; add<<<9, t>>>(a, b, c, n);", ""},
    {"read_at_run_time", "int n = 0; scanf(\"%d\", &n); add<<<n / 256, 256>>>(a, b, c, n);", ""},
    {"of_a_stream", "int n = 0; std::cin >> n; add<<<n / 256, 256>>>(a, b, c, n);", ""},
    {"an_argument", "auto run = [&](int n) { add<<<n / 256, 256>>>(a, b, c, n); }; int n = 0;", ""},
    {"set_twice", "int t = 2048; if (t > 1024) t = 512; add<<<9, t>>>(a, b, c, n);", ""},
    {"left_out", "if (2048 <= 1024) { add<<<9, 2048>>>(a, b, c, n); } add<<<9, 64>>>(a, b, c, n);", ""},
};
class LaunchError : public testing::TestWithParam<Refused> {};

TEST_P(LaunchError, IsWhatNoDeviceLaunches) {
  const auto refused = guessed(
      "__global__ void add(float* a, float* b, float* c, int n) { c[0] = a[0] + b[n]; }\nint main() {\n" +
      std::string(GetParam().host) + "\n}\n");
  ASSERT_EQ(refused.error.has_value(), GetParam().says[0] != 0) << to_line(refused.error.value_or(Error{}));
  if (!refused.error) return;
  EXPECT_THAT(refused.error->message, HasSubstr(GetParam().says));
  EXPECT_EQ(refused.error->place.line, 3);
}
INSTANTIATE_TEST_SUITE_P(All, LaunchError, testing::ValuesIn(kRefused),
                         [](const auto& one) { return std::string(one.param.name); });

// Each name has a dozen meanings, all by the next name: trying them all would not end.
TEST(HostCode, GivesUpNamesThatDefineEachOther) {
  std::string text = "int known = 8;\n";
  for (int i = 0; i < 10; ++i)
    for (int again = 0; again < 12; ++again)
      text += "int n" + std::to_string(i) + " = n" + std::to_string(i + 1) + ";\n";
  const HostCode host(text);
  EXPECT_EQ(host.value("known"), 8);
  EXPECT_EQ(host.value("n0"), std::nullopt);
}

// Nor would looking through a long text for each of the names that it has.
TEST(HostCode, GivesUpLongTextsOfNames) {
  std::string text = "int known = 8;\n";
  for (int i = 0; i < 10'000; ++i)
    text += "int n" + std::to_string(i) + " = n" + std::to_string(i + 1) + " + m" + std::to_string(i) +
            "; int again = again + known;\n";
  const HostCode host(text);
  EXPECT_EQ(host.value("known"), 8);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(host.value("n" + std::to_string(i) + " + again"), std::nullopt);
}

}  // namespace
}  // namespace warplens::problem
