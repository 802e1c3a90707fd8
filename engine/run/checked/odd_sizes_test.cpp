// Kernels that are right only where one size stands for another are found; the repository's are not among
// them.
#include "engine/run/checked/odd_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/catalog/catalog.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using testing::AllOf, testing::EndsWith, testing::HasSubstr, testing::StartsWith;

struct Case {
  std::string name;
  std::string body;  // of C[M][N] = A[M][K] * B[K][N], with x and y as the grid below says
  std::string says;  // how the finding ends; empty: there is none
  std::string grid = "[\"ceil_div(N, 32)\", \"ceil_div(M, 32)\"]";
  std::string require = {};
};

const std::string kSum =
    "  if (row >= M || column >= N) return;\n  float sum = 0;\n"
    "  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
    "  C[row * N + column] = sum;\n";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

std::string text_of(const Case& one) {
  return "/*---\ntitle = \"A product\"\nproblem = \"sgemm\"\n[launch]\nblock = [32, 32]\ngrid = " + one.grid +
         one.require +
         "\n---*/\nextern \"C\" __global__ void kernel(const float* A, const float* B, float* C, int M, int "
         "N, "
         "int K) {\n  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n" +
         one.body + "}\n";
}

Result<std::optional<check::Finding>> finding_of(const catalog::KernelSpec& spec,
                                                 const catalog::Values& sizes) {
  const auto job = job_of(spec, {}, sizes);
  if (!job) return job.error();
  const auto kernel = prepare(job->build, job->plan.device);
  if (!kernel) return kernel.error();
  Tried tried;
  return finding_at_odd_sizes(Trials(*job, **kernel, tried));
}

const Case kCases[] = {
    {"Right", "  const int row = y, column = x;\n" + kSum, ""},
    {"GridExchanged", "  const int row = x, column = y;\n" + kSum, "right where M = N"},
    {"BoundOfOtherSize", replaced("  const int row = y, column = x;\n" + kSum, "row >= M", "row >= N"),
     "right where M = N"},
    {"LeadingDimension",
     replaced("  const int row = y, column = x;\n" + kSum, "A[row * K + k]", "A[row * M + k]"),
     "right where K = M"},
    {"AllForOne",
     replaced(replaced("  const int row = y, column = x;\n" + kSum, "A[row * K + k]", "A[row * N + k]"),
              "C[row * N", "C[row * M"),
     "right where K = M = N"},
    {"TilesOfOtherSize",
     "  const int row = y, column = x;\n  float sum = 0;\n  if (row >= M || column >= N) return;\n"
     "  for (int t = 0; t < (N + 31) / 32; ++t)\n"
     "    for (int k = t * 32; k < min(K, t * 32 + 32); ++k) sum += A[row * K + k] * B[k * N + column];\n"
     "  C[row * N + column] = sum;\n",
     "right where K <= N"},
    {"SaysSo", "  const int row = x, column = y;\n" + kSum, "", "[\"ceil_div(N, 32)\", \"ceil_div(M, 32)\"]",
     "\nrequire = [{ test = \"M == N\", reason = \"It is for square matrices\" }]"},
};

class Sizes : public testing::TestWithParam<Case> {};

TEST_P(Sizes, ThatDifferAreTried) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto spec = catalog::parse_kernel(text_of(GetParam()), "case", "case.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto found = finding_of(*spec, {{"M", 128}, {"N", 128}, {"K", 128}});
  ASSERT_TRUE(found) << to_line(found.error());
  ASSERT_EQ(found->has_value(), !GetParam().says.empty()) << (*found ? (*found)->message : "");
  if (!*found) return;
  EXPECT_THAT((*found)->message,
              AllOf(StartsWith("wrong at K = "), EndsWith("; of the sizes tried, " + GetParam().says)));
  EXPECT_THAT((*found)->message, HasSubstr(" N = "));
  EXPECT_GT((*found)->line, 0);
}

INSTANTIATE_TEST_SUITE_P(Products, Sizes, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

TEST(OddSizes, OfAnOwnProblem) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Added to each row\"\n[problem]\nsizes = { H = 256, W = 256, R = 4 }\n"
      "buffers = [{ name = \"in\", count = \"H * W\" }, { name = \"out\", count = \"H * W\" }]\n"
      "check = \"out[i] == in[i] + R\"\n[launch]\nblock = [32, 8]\n"
      "grid = [\"ceil_div(W, 32)\", \"ceil_div(H, 8)\"]\n---*/\n"
      "extern \"C\" __global__ void kernel(const float* in, float* out, int H, int W, int R) {\n"
      "  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
      "  if (x < H && y < W) out[y * W + x] = in[y * W + x] + R;  // bounds exchanged\n}\n",
      "case", "case.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto found = finding_of(*spec, {});
  ASSERT_TRUE(found) << to_line(found.error());
  ASSERT_TRUE(*found);
  EXPECT_THAT((*found)->message, AllOf(StartsWith("wrong at H = 41, R = 4, W = 169: "),
                                       EndsWith("; of the sizes tried, right where H = W")));
}

// A pasted sum of each block: its last block need not be full, and what that leaves of shared memory nobody has written.
TEST(OddSizes, OfPartialSumsLeaveARest) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto message = [](const std::string& load) {
    const auto spec = catalog::parse_or_guess(
        "__global__ void sum(const float* in, float* out, int n) {\n  __shared__ float s[256];\n"
        "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  " +
            load +
            "\n  __syncthreads();\n  for (int d = 128; d > 0; d /= 2) {\n    if (t < d) s[t] += s[t + d];\n"
            "    __syncthreads();\n  }\n  if (t == 0) out[blockIdx.x] = s[0];\n}\n"
            "int main() { sum<<<1000, 256>>>(p, q, 256000); }\n",
        "case", "case.cu", problem::guessed);
    if (!spec) return to_line(spec.error());
    const auto found = finding_of(*spec, {});
    return !found ? to_line(found.error()) : *found ? (*found)->message : "right";
  };
  EXPECT_EQ(message("s[t] = i < n ? in[i] : 0;"), "right");
  EXPECT_THAT(message("if (i < n) s[t] = in[i];"),
              AllOf(StartsWith("wrong at E = 256, N = 1003: "), HasSubstr("which nobody has written"),
                    EndsWith("of the sizes tried, right at E = 256, N = 768, a multiple of 256")));
}

std::string message_of(const std::string& launch, const std::string& body) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"x\"\nproblem = \"reduce\"\n[launch]\nblock = [256]\n" + launch +
          "\n---*/\nextern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
          "  const int i = blockIdx.x * 256 + threadIdx.x;\n" +
          body + "}\n",
      "case", "case.cu");
  const auto found = finding_of(*spec, {{"N", 4096}});
  if (!found) return to_line(found.error());
  return *found ? (*found)->message : "right";
}

// The checkers look at the trials too: sums over lanes that have ended come out right by chance.
TEST(OddSizes, AreRightWhereTheyWouldBeIfTheyWereAskedFor) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const std::string sum =
      "  float v = in[i];\n"
      "  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n"
      "  if (threadIdx.x % 32 == 0) atomicAdd(out, v);\n";
  const std::string message = message_of("grid = [\"ceil_div(N, 256)\"]", "  if (i >= N) return;\n" + sum);
  EXPECT_THAT(message, StartsWith("wrong at N = 1003: thread "));
  EXPECT_THAT(message, EndsWith("; of the sizes tried, right at N = 992, a multiple of 32"));
}

// A sum of so many that what is left out is less than the bound on rounding is no sum.
TEST(OddSizes, AreAllWrongWhereAMistakeIsLostInALargeSum) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const std::string grid = "grid = [\"ceil_div(N, 256)\"]";
  const std::string sum =
      "  float v = i < N && i % 64 != 63 ? in[i] : 0;\n"
      "  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n"
      "  if (threadIdx.x % 32 == 0) atomicAdd(out, v);\n";
  EXPECT_THAT(message_of(grid, sum), StartsWith("wrong at all other sizes that were tried: at N = 1003, "));
  EXPECT_THAT(message_of(grid + "\nrequire = [\"N % 256 == 0\"]", sum),
              StartsWith("wrong at all other sizes that were tried: at N = 768, "));
}

// What an acquiring load has seen released is ordered in a trial as it is in the run.
TEST(OddSizes, KnowReleasesOfTheText) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const std::string passing =
      "  if (threadIdx.x != 0 || i >= N) return;\n"
      "  static __device__ int flag[1 << 16];\n  static __device__ float data[1 << 16];\n"
      "  const int b = blockIdx.x, before = b > 0 ? b - 1 : 0;\n  data[b] = 1;\n"
      "  asm volatile(\"st.release.gpu.s32 [%0], 1;\" ::\"l\"(&flag[b]) : \"memory\");\n"
      "  for (int seen = 0; seen == 0;)\n"
      "    asm volatile(\"ld.acquire.gpu.s32 %0, [%1];\" : \"=r\"(seen) : \"l\"(&flag[before]) : "
      "\"memory\");\n"
      "  if (data[before] != 1) out[1 << 20] = 0;\n"
      "  for (int k = i; k < N && k < i + 256; ++k) atomicAdd(out, in[k]);\n";
  EXPECT_EQ(message_of("grid = [\"ceil_div(N, 256)\"]", passing), "right");
}

TEST(OddSizes, OfTheRepositoryAreRight) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  for (const auto& entry : kernels().kernels()) {
    const auto found = finding_of(entry, {});
    ASSERT_TRUE(found) << entry.id << ": " << to_line(found.error());
    EXPECT_FALSE(*found) << entry.id << ": " << (*found)->message;
  }
}

}  // namespace
}  // namespace warplens::run
