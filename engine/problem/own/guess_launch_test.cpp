// Guesses from launches and parameters that say little: sizes that nobody passes, cubes, types of libraries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {
namespace {

struct FileOfSize {
  const char* name;
  const char* code;
  std::vector<std::string> has;
};
const FileOfSize kFilesOfSizes[] = {
    {"a_parameter_without_a_name",
     "__global__ void fade(float* x, int n, float /*rate*/) { int i = threadIdx.x; if (i < n) x[i] *= 0.5f; "
     "}\n",
     {"name = \"unnamed3\""}},
    {"a_cube",
     "__global__ void melt(const float* in, float* out, int edge) {\n"
     "  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 8 + "
     "threadIdx.z;\n"
     "  if (x < edge && y < edge && z < edge) out[(z * edge + y) * edge + x] = in[(z * edge + y) * edge + x] "
     "- 1;\n}\n"
     "void run(const float* in, float* out, int edge) {\n"
     "  int b = (edge + 7) / 8;\n  melt<<<dim3(b, b, b), dim3(8, 8, 8)>>>(in, out, edge);\n}\n",
     {"edge = 64", "count = \"edge * edge * edge\""}},
    {"a_square_and_a_turn",
     "__global__ void relax(float* d, int n, int k) {\n"
     "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
     "  if (x < n && y < n) d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);\n}\n"
     "void run(float* d, int n) {\n  dim3 g((n + 15) / 16, (n + 15) / 16);\n"
     "  for (int k = 0; k < n; ++k) relax<<<g, dim3(16, 16)>>>(d, n, k);\n}\n",
     {"count = \"n * n\""}},
    {"states_of_curand",
     "__global__ void draw(curandState_t* state, float* out, int n) {\n"
     "  int i = threadIdx.x; if (i < n) out[i] = curand_uniform(&state[i]);\n}\n",
     {"name = \"state\", type = \"uint32\", parts = 12"}},
    {"as_many_as_are_read",
     "__global__ void show(const int* v) { int i = blockIdx.x * blockDim.x + threadIdx.x; printf(\"%d\", "
     "v[i]); }\n"
     "int main() { int* v; cudaMalloc(&v, 64 * sizeof(int)); show<<<2, 32>>>(v); }\n",
     {"sizes   = { N = 64 }  # as in the file", "grid    = [2]  # as launched in the file"}},
    {"as_many_as_threads",
     "__global__ void hello() { printf(\"hello\"); }\nint main() { hello<<<4, 64>>>(); }\n",
     {"N = 256", "grid    = [4]  # as launched in the file"}},
    {"all_pairs",
     "__global__ void pull(const float* x, float* f, int n, float soft) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
     "  float sum = 0;\n  for (int j = 0; j < n; j++) sum += (x[j] - x[i]) / soft;\n  f[i] = sum;\n}\n"
     "int main() { int n = 65536; pull<<<(n + 255) / 256, 256>>>(x, f, n, 0.5f); }\n",
     {"n = 16384"}},
    {"members_of_a_struct",
     "struct Grid { int nx, ny; float dx; };\n"
     "__global__ void heat(const float* in, float* out, Grid g) {\n"
     "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
     "  if (x < g.nx && y < g.ny) out[y * g.nx + x] = g.dx * in[y * g.nx + x];\n}\n"
     "int main() {\n  Grid g; g.nx = 300; g.ny = 200; g.dx = 0.25f;\n  float *in, *out;\n"
     "  cudaMalloc(&in, g.nx * g.ny * sizeof(float));\n  cudaMalloc(&out, g.nx * g.ny * sizeof(float));\n"
     "  heat<<<dim3((g.nx + 15) / 16, (g.ny + 15) / 16), dim3(16, 16)>>>(in, out, g);\n}\n",
     {"sizes   = { g_nx = 300, g_ny = 200 }  # as in the file",
      "{ name = \"out\", count = \"g_nx * g_ny\", output", "scalars = [{ name = \"g_dx\", value = 0.25 }]",
      "\"ceil_div(g_nx, 16)\", \"ceil_div(g_ny, 16)\""}},
    {"a_pointer_in_a_struct",
     "struct View { float* data; int rows, cols; __device__ float& at(int r, int c) { return data[r * cols + "
     "c]; } };\n"
     "__global__ void scale(View m, float2 by) { int r = blockIdx.x, c = threadIdx.x;\n"
     "  if (r < m.rows && c < m.cols) m.at(r, c) *= by.x; }\n"
     "int main() {\n  float* d;\n  cudaMalloc(&d, 100 * 70 * sizeof(float));\n  View m{d, 100, 70};\n"
     "  scale<<<100, 96>>>(m, make_float2(2.0f, 3.0f));\n}\n",
     {"{ name = \"m_data\", count = \"m_rows * m_cols\", fill = \"zero\", output = true }",
      "{ name = \"by_x\", value = 2 }, { name = \"by_y\", value = 3 }"}},
    {"a_functor_of_the_launch",
     "template <class T> struct Twice { __device__ T operator()(T a) const { return a + a; } };\n"
     "template <class In, class Out, class F> __global__ void map(In in, Out out, int n, F f) {\n"
     "  int i = threadIdx.x; if (i < n) out[i] = f(in[i]); }\n"
     "template <class In, class Out, class F> void all(In in, Out out, int n, F f) { map<<<1, 64>>>(in, out, "
     "n, f); }\n"
     "int main() { int *x, *y; all(x, y, 64, Twice<int>{}); }\n",
     {"kernel  = \"map<int*, int*, Twice<int>>\"\n"}},
    {"the_functor_of_the_file",
     "struct Add { __device__ float operator()(float a, float b) const { return a + b; } };\n"
     "template <class F> __global__ void zip(F f, const float* a, const float* b, float* out, int n) {\n"
     "  int i = threadIdx.x; if (i < n) out[i] = f(a[i], b[i]); }\n",
     {"kernel  = \"zip<Add>\"  # guessed"}},
    {"a_neighbour_on_each_side",
     "#define N 128\n"
     "__global__ void smooth(const float* in, float* out, int n) {\n  __shared__ float s[N + 2];\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  s[threadIdx.x + 1] = i < n ? in[i] : 0;\n"
     "  if (threadIdx.x < 2) s[threadIdx.x == 0 ? 0 : N + 1] = 0;\n  __syncthreads();\n"
     "  if (i < n) out[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];\n}\n",
     {"block   = [128]"}},
    {"two_neighbours_on_each_side_in_numbers",
     "__global__ void smooth(const float* in, float* out, int n) {\n  __shared__ float s[68];\n"
     "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  s[t + 2] = i < n ? in[i] : 0;\n"
     "  if (t < 2) { s[t] = 0; s[t + 66] = 0; }\n  __syncthreads();\n"
     "  if (i < n) out[i] = s[t] + s[t + 2] + s[t + 4];\n}\n",
     {"block   = [64]"}},
    {"a_width_and_twice_the_radius",
     "#define WIDTH 256\n#define RADIUS 3\n"
     "__global__ void smooth(const int* in, int* out, int n) {\n  __shared__ int temp[WIDTH + 2 * RADIUS];\n"
     "  int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + RADIUS;\n"
     "  temp[l] = g < n ? in[g] : 0;\n"
     "  if (threadIdx.x < RADIUS) { temp[l - RADIUS] = 0; temp[l + WIDTH] = 0; }\n  __syncthreads();\n"
     "  int sum = 0;\n  for (int k = -RADIUS; k <= RADIUS; k++) sum += temp[l + k];\n  if (g < n) out[g] = "
     "sum;\n}\n",
     {"block   = [256]"}},
    {"two_more_that_the_first_threads_bring",
     "__global__ void ahead(const float* in, float* out, int n) {\n  __shared__ float s[130];\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  s[threadIdx.x] = i < n ? in[i] : 0;\n"
     "  if (threadIdx.x < 2) s[threadIdx.x + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0;\n"
     "  __syncthreads();\n  if (i < n) out[i] = s[threadIdx.x] + s[threadIdx.x + 2];\n}\n",
     {"block   = [128]"}},
    {"an_element_for_each_thread",
     "__global__ void turn(const float* in, float* out, int n) {\n  __shared__ float s[100];\n"
     "  s[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;\n  __syncthreads();\n"
     "  if (threadIdx.x < n) out[threadIdx.x] = s[99 - threadIdx.x];\n}\n",
     {"block   = [100]"}},
    {"one_that_can_be_run",
     "__global__ void plain(const float* in, float* out, int n) { int i = threadIdx.x; if (i < n) out[i] = "
     "in[i]; }\n"
     "__global__ void textured(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, "
     "0); }\n"
     "int main() { plain<<<1, 32>>>(a, b, 32); textured<<<1, 32>>>(t, b); }\n",
     {"title   = \"plain\""}},
};

class GuessedSize : public testing::TestWithParam<FileOfSize> {};

TEST_P(GuessedSize, IsWhatTheCodeSays) {
  const std::string guessed = guessed_front_matter(GetParam().code);
  for (const std::string& part : GetParam().has) EXPECT_THAT(guessed, testing::HasSubstr(part));
  const auto spec = catalog::parse_kernel("/*---\n" + guessed + "---*/\n" + GetParam().code, "x", "x.cu");
  ASSERT_TRUE(spec) << to_line(spec.error()) << guessed;
  const auto problem = find_problem(*spec);
  EXPECT_TRUE(problem) << to_line(problem.error()) << guessed;
}
INSTANTIATE_TEST_SUITE_P(All, GuessedSize, testing::ValuesIn(kFilesOfSizes),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Guess, AResultForEachBlockFollowsTheSize) {
  const std::string text = guessed_front_matter(
      "__global__ void largest(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[blockIdx.x] = in[i];\n}\n"
      "int main() { int n = 10000, threads = 128, blocks = (n + threads - 1) / threads; float *in, *out; "
      "cudaMalloc(&in, n * sizeof(float)); cudaMalloc(&out, blocks * sizeof(float)); "
      "largest<<<blocks, threads>>>(in, out, n); }\n");
  EXPECT_NE(text.find("count = \"ceil_div(n, 128)\""), std::string::npos) << text;
}

// The names say which size is which, where the order does not.
TEST(GuessedLaunch, SizesAreThoseThatTheirNamesSay) {
  const std::string code =
      "__global__ void transpose(const float* in, float* out, int width, int height) {\n"
      "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
      "  if (x < width && y < height) out[x * height + y] = in[y * width + x]; }\n";
  auto spec = catalog::parse_kernel("/*---\n" + guessed_front_matter(code) + "---*/\n" + code, "x", "x.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  spec->guessed = "guessed";
  const auto problem = find_problem(*spec);
  ASSERT_TRUE(problem) << to_line(problem.error());
  const auto instance = (*problem)->make({{"M", 3}, {"N", 5}}, Pattern::index, 1, 1 << 20);
  ASSERT_TRUE(instance) << to_line(instance.error());
  const auto& arguments = (*instance)->arguments();
  ASSERT_EQ(arguments.size(), 4);
  EXPECT_EQ(number_of(arguments[2]).bits, 5);
  EXPECT_EQ(number_of(arguments[3]).bits, 3);
}

// A kernel without arrays only warms up, or prints.
TEST(GuessedLaunch, IsNotThatOfAWarmUp) {
  const std::string code =
      "__global__ void add(const float* a, float* b, int n) { int i = threadIdx.x; if (i < n) b[i] += a[i]; "
      "}\n"
      "__global__ void warmup() {}\n"
      "int main() { add<<<1, 64>>>(a, b, 64); warmup<< <1, 32>> >(); }\n";
  EXPECT_THAT(guessed_front_matter(code), HasSubstr("title   = \"add\""));
}

}  // namespace
}  // namespace warplens::problem
