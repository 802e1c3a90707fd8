// Problems of kernel files from the file to the verified result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/whole_file.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Result<SharedRun> run_text(const std::string& text, const catalog::Values& sizes = {}) {
  const auto spec = catalog::parse_kernel(text, "x", "x.cu");
  if (!spec) return spec.error();
  const auto job = job_of(*spec, {}, sizes);
  return job ? run_checked(*job) : job.error();
}

std::string front(const std::string& problem,
                  const std::string& launch = "block = [256]\ngrid = [\"ceil_div(N, 256)\"]") {
  return "/*---\ntitle = \"x\"\n" + problem + "\n[launch]\n" + launch + "\n---*/\n";
}

class Kinds : public testing::TestWithParam<std::string> {};

TEST_P(Kinds, RunTheirOwnKernel) {
  const bool is_product =
      problem::find_kind_text(GetParam())->problem.find("K = {") != std::string_view::npos;
  const catalog::Values sizes{{"M", 100}, {"N", 90}, {"K", 80}};
  const auto run = run_text(problem::kernel_file_of(*problem::find_kind_text(GetParam())),
                            is_product ? sizes : catalog::Values());
  ASSERT_TRUE(run) << to_line(run.error());
  const Report& report = (*run)->report;
  EXPECT_FALSE(report.is_wrong()) << report.explanation;
  EXPECT_TRUE(report.verified);
  EXPECT_TRUE(report.findings.empty()) << report.findings.front().message;
}

// At the sizes that open first: loops over tiles make several turns there.
TEST_P(Kinds, ShowEachBarrierThatIsMissing) {
  constexpr std::string_view kBarrier = "__syncthreads();";
  const std::string text = problem::kernel_file_of(*problem::find_kind_text(GetParam()));
  for (std::size_t at = text.find(kBarrier); at != std::string::npos; at = text.find(kBarrier, at + 1)) {
    std::string without = text;
    without.erase(at, kBarrier.size());
    const auto run = run_text(without);
    ASSERT_TRUE(run) << to_line(run.error());
    EXPECT_TRUE(check::has_error((*run)->report.findings)) << without.substr(at > 60 ? at - 60 : 0, 100);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const problem::KindText& kind : problem::kind_texts()) list.emplace_back(kind.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(All, Kinds, testing::ValuesIn(names()), [](const auto& kind) { return kind.param; });

TEST(OwnProblem, TakesWhatNvccTakes) {
  const auto run = run_text(front("problem = \"saxpy\"\nkernel = \"saxpy<float, 256>\"") + R"cu(
#include <algorithm>
#include <cstdint>
#include <math.h>
#include <stdio.h>
#include <vector>
std::vector<float> kept;
constexpr int half_of(int n) { return n / 2; }
int twice(int n) { return 2 * n; }  // of no space: device code calls it
void check(int code) { if (code) exit(1); }
template <typename T, int BLOCK>
__global__ void saxpy(uint32_t n, T a, const T* __restrict__ x, T* y) {
  uint i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n || half_of(twice(3)) != 3) return;
  y[i] = std::max(-FLT_MAX, a * x[i] + y[i]) < INFINITY ? a * x[i] + y[i] : 0;
}
int main(int argc, char** argv) {
  float* d; cudaMalloc(&d, 4); check(0);
  saxpy<float, 256><<<1, 256>>>(1, 2.f, d, d);
  printf("} %d\n", twice(argc));
}
)cu");
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified) << (*run)->report.explanation;
}

TEST(OwnProblem, OutputsMayBeMultipliedByZero) {
  const auto run = run_text(
      front("problem = \"sgemm\"", "block = [16, 16]\ngrid = [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\"]") +
          R"cu(__global__ void mm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  if (r >= M || c >= N) return;
  float s = 0;
  for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
  C[r * N + c] = alpha * s + beta * C[r * N + c];
})cu",
      {{"M", 64}, {"N", 48}, {"K", 40}});
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified) << (*run)->report.explanation;
  ASSERT_FALSE((*run)->report.findings.empty());
  EXPECT_EQ((*run)->report.findings[0].severity, check::Severity::warning);
  EXPECT_THAT((*run)->report.findings[0].message, HasSubstr("reads C[0], which nobody has written"));
  EXPECT_EQ((*run)->report.findings[0].line, 13);
}

TEST(OwnProblem, ComparesWithAnotherKernel) {
  const fs::path folder = fs::temp_directory_path() / "warplens_own_problem_test";
  fs::create_directories(folder);
  const std::string buffers =
      "[problem]\nsizes = { N = 5000 }\nbuffers = [{ name = \"in\", count = \"N\" }, { name = \"out\", count "
      "= \"N\" }]\n";
  const std::string head =
      "__global__ void k(const float* in, float* out, int N) {\n  int i = blockIdx.x * 256 + threadIdx.x;\n";
  ASSERT_TRUE(write_whole_file(folder / "01_plain.cu", front(buffers + "none = \"the first\"") + head +
                                                           "  if (i < N) out[i] = in[i] * 3;\n}\n"));
  const auto run = [&](const std::string& body, const std::string& like) {
    const auto spec = catalog::parse_kernel(front(buffers + "like = \"" + like + "\"") + head + body + "}\n",
                                            "x", (folder / "02_other.cu").string());
    const auto planned = plan_of(*spec, {}, {});
    if (!planned) return to_line(planned.error());
    Instances instances({});
    const auto instance = *instances.instantiate(*planned);
    const auto made = [&](const compile::Request& request) { return compiler().compile(request); };
    const Status done = instances.complete(*planned, *instance, made);
    if (!done) return to_line(done.error());
    const auto ran = run_on_emulator(Job{*planned, instance, *compile(compiler(), *planned)});
    return (*ran)->report.verified ? std::string("verified") : (*ran)->report.explanation;
  };
  EXPECT_EQ(run("  if (i < N) out[i] = in[i] + in[i] + in[i];\n", "01_plain"), "verified");
  EXPECT_THAT(run("  if (i < N) out[i] = in[i] + in[i];\n", "01_plain"), HasSubstr("out at element 0 is "));
  EXPECT_THAT(run("", "03_missing"), HasSubstr("there is no kernel 03_missing to compare with"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens::run
