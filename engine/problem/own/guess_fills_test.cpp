// What guessed front matters say that arrays hold at first, and how a kernel that asks for no block is launched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/problem/kind_texts.hpp"

namespace warplens::problem {
namespace {

using testing::AllOf, testing::HasSubstr;

// What the host computes for whole numbers, sizes by the names that they have in the front matter.
TEST(Guess, FillsWhatTheHostFillsInALoop) {
  const std::string kernel =
      "__global__ void mark(const int* at, const float* x, float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[at[i]] = x[i];\n}\n";
  const auto with_host = [&](const std::string& statements) {
    return guessed_front_matter(
        kernel + "int main() {\n  const int n = 512;\n  int h[n + 1], *at; float *x, *y;\n  " + statements +
        "\n  cudaMalloc(&at, sizeof(h)); cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4);\n"
        "  cudaMemcpy(at, h, sizeof(h), cudaMemcpyHostToDevice);\n"
        "  mark<<<2, 256>>>(at, x, y, n);\n}\n");
  };
  EXPECT_THAT(
      with_host("for (int k = 0; k < n; ++k) h[k] = (k * 7 + 3) % n;"),
      AllOf(HasSubstr("name = \"at\", count = \"513\""), HasSubstr("fill = \"(((i * 7) + 3) % n)\"")));
  EXPECT_THAT(with_host("for (int k = 0; k < n; ++k) h[k] = rand() % 40;"),
              HasSubstr("fill = \"random(0, 40)\""));
  EXPECT_THAT(with_host("for (int k = 0; k < n; ++k) h[k] = k / 4 & 15;"),
              HasSubstr("fill = \"(floor(i / 4) % 16)\""));
  // Neither a second statement nor a function is followed; it is used as an index all the same.
  EXPECT_THAT(with_host("for (int k = 0; k < n; ++k) { h[k] = k; if (k > 9) h[k] = 1; }"),
              HasSubstr("fill = \"(n) - 1 - i % (n)\""));
  EXPECT_THAT(with_host("shuffle(h, n);"), HasSubstr("fill = \"(n) - 1 - i % (n)\""));
}

// Also where the problem is known by the kernel's name and has data of its own.
TEST(Guess, FillsInputsOfAKnownProblemAsTheHost) {
  const auto with_host = [](const std::string& element) {
    return guessed_front_matter(
        "__global__ void histogram(const int* in, int* bins, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) atomicAdd(&bins[in[i]], 1);\n}\n"
        "int main() {\n  int n = 4096;\n  int* h = (int*)malloc(n * sizeof(int));\n  for (int i = 0; i < n; "
        "i++) h[i] = " +
        element +
        ";\n  int *in, *bins;\n  cudaMalloc(&in, n * sizeof(int));\n  cudaMalloc(&bins, 256 * sizeof(int));\n"
        "  cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);\n"
        "  cudaMemset(bins, 0, 256 * sizeof(int));\n  histogram<<<(n + 255) / 256, 256>>>(in, bins, "
        "n);\n}\n");
  };
  EXPECT_THAT(with_host("i * 7 % 256"),
              AllOf(HasSubstr("kind    = \"histogram\""),
                    HasSubstr("{ name = \"in\", count = \"N\", fill = \"((i * 7) % 256)\" }")));
  EXPECT_THAT(with_host("read(i)"),
              AllOf(HasSubstr("kind    = \"histogram\""), testing::Not(HasSubstr("buffers"))));
}

TEST(Guess, CountsOneRowMoreWhereRowsBegin) {
  EXPECT_THAT(
      guessed_front_matter("__global__ void walk(const int* rows, const int* to, int* seen, int n) {\n"
                           "  int v = blockIdx.x * blockDim.x + threadIdx.x;\n  if (v < n)\n"
                           "    for (int e = rows[v]; e < rows[v + 1]; ++e) seen[to[e]] += 1;\n}\n"),
      AllOf(HasSubstr("name = \"rows\", count = \"n + 1\", fill = \"floor(i * (n) / (n + 1))\""),
            HasSubstr("name = \"to\", count = \"n\", fill = \"random(0, n)\"")));
}

TEST(Guess, CountsRowsWhereAnIndexIsMultiplied) {
  const auto with_index = [](const std::string& index) {
    return guessed_front_matter(
        "__global__ void embed(const int* at, const float* table, float* out, int T, int C) {\n"
        "  int t = blockIdx.x, c = threadIdx.x;\n  int row = at[t];\n  out[t * C + c] = table[" +
        index + "];\n}\n");
  };
  EXPECT_THAT(with_index("row * C + c"), HasSubstr("fill = \"random(0, floor((T * C) / C))\""));
  EXPECT_THAT(with_index("row * stride + c"), HasSubstr("fill = \"random(0, 1)\""));
  EXPECT_THAT(with_index("row % C"), testing::Not(HasSubstr("fill")));
}

TEST(Guess, HasAWarpForEachRow) {
  EXPECT_THAT(guessed_front_matter("__global__ void rows(const float* in, float* out, int n) {\n"
                                   "  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\n"
                                   "  if (w < n) out[w] = in[w * 32 + threadIdx.x % 32];\n}\n"),
              HasSubstr("grid    = [\"ceil_div(32 * N, 256)\"]"));
}

TEST(Guess, LaunchesOneBlockOfWhatAsksForNone) {
  const std::string kernel =
      "__global__ void turn(const float* p, float* q, int n) {\n  __shared__ float s[256];\n"
      "  for (int i = at(); i < n; i += 256) s[threadIdx.x] = p[i];\n  q[threadIdx.x] = s[255 - "
      "threadIdx.x];\n}\n";
  EXPECT_THAT(guessed_front_matter("__device__ int at() { return threadIdx.x; }\n" + kernel),
              HasSubstr("grid    = [1]"));
  EXPECT_THAT(
      guessed_front_matter("__device__ int at() { return blockIdx.x * 256 + threadIdx.x; }\n" + kernel),
      HasSubstr("grid    = [\"ceil_div(n, 256)\"]"));
}

}  // namespace
}  // namespace warplens::problem
