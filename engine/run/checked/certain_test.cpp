// Files without a front matter: which faults no other guess would cure.
#include "engine/run/checked/certain.hpp"

#include <gtest/gtest.h>

#include "engine/catalog/catalog.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

Report report_of_file(const std::string& text) {
  const auto spec = catalog::parse_or_guess(text, "case", "case.cu", problem::guessed);
  return (*run_checked(*job_of(*spec, {}, {})))->report;
}

// The first finding of a kind; one without a line: there is none.
Finding finding_of(const Report& report, Kind kind) {
  for (const Finding& finding : report.findings)
    if (finding.kind == kind) return finding;
  return {};
}

class Certain : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  }
};

std::string tree(const std::string& between) {
  return "__global__ void reduce(const float* in, float* out, int n) {\n"
         "  __shared__ float s[256];\n"
         "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
         "  s[t] = i < n ? in[i] : 0.0f;\n"
         "  __syncthreads();\n"
         "  for (int d = blockDim.x / 2; d > 32; d /= 2) {\n"
         "    if (t < d) s[t] += s[t + d];\n"
         "    __syncthreads();\n"
         "  }\n"
         "  if (t < 32) {\n"
         "    for (int d = 32; d > 0; d /= 2) {\n"
         "      float v = s[t + d];\n" +
         between + "      s[t] += v;\n" + between + "    }\n  }\n  if (t == 0) out[blockIdx.x] = s[0];\n}\n";
}

// Only the block is guessed, and no other one would help.
TEST_F(Certain, ARaceInAWarpIsAnErrorWithItsLine) {
  const Report wrong = report_of_file(tree(""));
  const Finding race = finding_of(wrong, Kind::race_warp);
  EXPECT_EQ(race.severity, Severity::error) << race.message;
  EXPECT_GE(race.line, 12);
  EXPECT_LE(race.line, 13);
  EXPECT_TRUE(wrong.is_wrong());
  const Finding result = finding_of(wrong, Kind::wrong_result);
  EXPECT_TRUE(result.line == 0 || result.line == race.line) << result.line;
  const Report right = report_of_file(tree("      __syncwarp();\n"));
  EXPECT_EQ(finding_of(right, Kind::race_warp).line, 0);
  EXPECT_FALSE(right.is_wrong());
}

// Right in blocks of one warp, which nobody said it has.
TEST_F(Certain, ARaceThatASmallerBlockCuresMayBeTheGuess) {
  const Report report = report_of_file(
      "__global__ void turn(const float* in, float* out, int n) {\n"
      "  __shared__ float s[1024];\n"
      "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
      "  s[t] = i < n ? in[i] : 0.0f;\n"
      "  __syncwarp();\n"
      "  if (i < n) out[i] = s[blockDim.x - 1 - t];\n"
      "}\n");
  const Finding race = finding_of(report, Kind::race_shared);
  EXPECT_GT(race.line, 0);
  EXPECT_EQ(race.severity, Severity::warning);
  EXPECT_FALSE(report.not_checked.empty());
}

// The block is the file's; the pitch is a guess, and with another one the index is inside.
TEST_F(Certain, AnIndexByAGuessedSizeMayBeTheGuess) {
  const std::string start =
      "__global__ void load(float* out, int pitch) {\n  __shared__ float tile[2048];\n"
      "  for (int i = threadIdx.x; i < 2048; i += 256) tile[i] = i;\n  __syncthreads();\n"
      "  if (tile[";
  const std::string end =
      "] > 1e9f) out[0] = pitch;\n}\nvoid go(float* out, int p) { load<<<1, 256>>>(out, p); }\n";
  const Finding guessed =
      finding_of(report_of_file(start + "(threadIdx.x & 31) * pitch" + end), Kind::out_of_bounds);
  EXPECT_EQ(guessed.line, 5);
  EXPECT_EQ(guessed.severity, Severity::warning) << guessed.message;
  const Finding certain =
      finding_of(report_of_file(start + "threadIdx.x * 8 + 8 + 0 * pitch" + end), Kind::out_of_bounds);
  EXPECT_EQ(certain.line, 5);
  EXPECT_EQ(certain.severity, Severity::error) << certain.message;
}

// How many bits a loop of the host counts nobody knows here: with too few all threads meet at one element.
TEST_F(Certain, ARaceByAGuessedNumberMayBeTheGuess) {
  const std::string start =
      "__global__ void turn(const float* in, float* out, int n, int bits) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[";
  const std::string end =
      "] = in[i] + bits;\n}\nvoid go(const float* in, float* out, int n) {\n  int bits = 0;\n"
      "  for (int t = n; t > 1; t >>= 1) bits++;\n  turn<<<(n + 255) / 256, 256>>>(in, out, n, bits);\n}\n";
  const Finding guessed =
      finding_of(report_of_file(start + "__brev(i) >> (32 - bits)" + end), Kind::race_global);
  EXPECT_EQ(guessed.line, 3);
  EXPECT_EQ(guessed.severity, Severity::warning) << guessed.message;
  const Finding certain = finding_of(report_of_file(start + "i / 2" + end), Kind::race_global);
  EXPECT_EQ(certain.line, 3);
  EXPECT_EQ(certain.severity, Severity::error) << certain.message;
}

// Whole numbers may be indices; where they are none, the shared memory of the file's launch is too small.
TEST_F(Certain, TooLittleSharedMemoryIsAnErrorWhateverTheDataAre) {
  const std::string start =
      "__global__ void turn(const int* in, int* out, int n) {\n  extern __shared__ int s[];\n"
      "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  if (i < n) s[";
  const std::string end =
      "] = in[i];\n  __syncthreads();\n  if (i < n) out[i] = s[t / 8];\n}\n"
      "int main() {\n  int n = 4096; int *in, *out; cudaMalloc(&in, n * 4); cudaMalloc(&out, n * 4);\n"
      "  turn<<<n / 256, 256, 256>>>(in, out, n);\n}\n";
  const Finding certain = finding_of(report_of_file(start + "t" + end), Kind::out_of_bounds);
  EXPECT_EQ(certain.line, 4);
  EXPECT_EQ(certain.severity, Severity::error) << certain.message;
  const Finding guessed = finding_of(report_of_file(start + "in[i] & 127" + end), Kind::out_of_bounds);
  EXPECT_EQ(guessed.severity, Severity::warning) << guessed.message;
}

// A tree of halves leaves out a third of a block of 192; where the sum is large that is less than rounding may be.
TEST_F(Certain, WhatIsWrongAtAllOtherSizesIsNotVerified) {
  const Report report = report_of_file(
      "__global__ void sum(const float* in, float* out, int n) {\n  __shared__ float s[192];\n"
      "  int i = blockIdx.x * 192 + threadIdx.x;\n  s[threadIdx.x] = i < n ? in[i] : 0;\n"
      "  for (int d = 96; d > 0; d /= 2) {\n    __syncthreads();\n"
      "    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];\n  }\n"
      "  if (threadIdx.x == 0) atomicAdd(out, s[0]);\n}\n"
      "int main() {\n  int n = 1 << 20; float *in, *out; cudaMalloc(&in, n * 4); cudaMalloc(&out, 4);\n"
      "  cudaMemset(out, 0, 4); sum<<<(n + 191) / 192, 192>>>(in, out, n);\n}\n");
  EXPECT_FALSE(report.verified);
  EXPECT_TRUE(report.is_wrong() || !report.not_checked.empty());
}

}  // namespace
}  // namespace warplens::run
