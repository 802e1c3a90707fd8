// Kernels that nobody has to check again: the checkers find nothing in them here, with their defaults or,
// built with WARPLENS_ALL_SETS, with all parameters that is_seen() means.
#include "engine/run/checked/seen.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

constexpr const char* kRace =
    "__global__ void k(const float* in, float* out) {\n  __shared__ float s[256];\n  int t = threadIdx.x;\n"
    "  s[t] = in[blockIdx.x * 256 + t];\n  out[blockIdx.x * 256 + t] = s[t] + s[t ^ 64];\n}\n";
constexpr const char* kFrontMatter =
    "/*---\ntitle = \"A race\"\nproblem = \"copy\"\n[launch]\nblock = [256]\ngrid = [\"ceil_div(N, "
    "256)\"]\n---*/\n";

TEST(SeenKernels, AreOfTheProgramsOwnTextWithItsOwnParameters) {
  const auto spec = *kernels().find("matmul/03_shared_tile");
  const catalog::Values sizes{{"M", 64}, {"N", 64}, {"K", 64}};
  EXPECT_TRUE(is_seen(*plan_of(spec, {}, sizes)));
  EXPECT_TRUE(is_seen(*plan_of(spec, {{"TILE", 16}}, sizes)));
  EXPECT_FALSE(
      is_seen(*plan_of(*kernels().find("matmul/01_naive"), {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}, sizes)));
  catalog::KernelSpec other = spec;
  other.code += " ";
  EXPECT_FALSE(is_seen(*plan_of(other, {}, sizes)));
  other.code = spec.code, other.id = other.path = "elsewhere.cu";  // a copy is the same kernel
  EXPECT_TRUE(is_seen(*plan_of(other, {}, sizes)));
}

#ifdef WARPLENS_ALL_SETS
constexpr bool kOnlyDefaults = false;
#else
constexpr bool kOnlyDefaults = true;
#endif

// The first of these sizes that the kernel takes: products of tensor cores want multiples.
catalog::Values sizes_from(const catalog::KernelSpec& spec, const problem::Problem& problem, int size) {
  constexpr int kMostTried = 64;
  for (int tried = size; tried < size + kMostTried; ++tried)
    if (auto sizes = problem::parse_sizes(problem, std::to_string(tried)); plan_of(spec, {}, *sizes))
      return *std::move(sizes);
  return *problem::parse_sizes(problem, std::to_string(size));
}

// What is_seen() says is true because of this.
class OwnKernels : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(OwnKernels, HaveNothingThatTheCheckersFind) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const catalog::KernelSpec& spec = GetParam();
  ASSERT_TRUE(is_own_text(spec.code));
  const auto problem = problem::find_problem(spec);
  ASSERT_TRUE(problem) << to_line(problem.error());
  const bool is_row = (*problem)->size_names().size() == 1;
  const auto sizes = sizes_from(spec, **problem, is_row ? 5000 : 100);
  std::vector<catalog::Values> sets = tested_parameters(spec, sizes);
  if (kOnlyDefaults) sets.resize(1);
  for (const catalog::Values& parameters : sets) {
    const auto job = job_of(spec, parameters, sizes);
    ASSERT_TRUE(job) << to_line(job.error());
    const auto checked = run_checked(*job);
    ASSERT_TRUE(checked) << to_line(checked.error());
    const Report& report = (*checked)->report;
    EXPECT_TRUE(report.verified) << value_words(parameters) << ": " << report.explanation;
    for (const check::Finding& finding : report.findings)
      EXPECT_EQ(finding.severity, check::Severity::information)
          << value_words(parameters) << ", line " << finding.line << ": " << finding.message;
  }
}

// ptxas leaves setmaxnreg out of the narrowest tile, whose threads need few registers: nobody waits for any.
TEST(OwnKernels, AreNotSaidToWaitForRegistersThatTheMachineCodeDoesNotMove) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find("tensor/14_bare_barriers");
  ASSERT_TRUE(spec);
  const auto job = job_of(*spec, {{"BM", 128}, {"BN", 64}}, {{"M", 104}, {"N", 104}, {"K", 104}});
  ASSERT_TRUE(job) << to_line(job.error());
  EXPECT_FALSE(job->build.instructions.moves_registers);
  const auto checked = run_checked(*job);
  ASSERT_TRUE(checked) << to_line(checked.error());
  EXPECT_TRUE((*checked)->report.verified) << (*checked)->report.explanation;
}

INSTANTIATE_TEST_SUITE_P(Repository, OwnKernels, testing::ValuesIn(kernels().kernels()),
                         [](const auto& tested) {
                           std::string label = tested.param.id;
                           std::ranges::replace_if(
                               label, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
                               '_');
                           return label;
                         });

TEST(Judged, SaysWhatTheCheckersFindWhereNobodyHasLooked) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = catalog::parse_kernel(std::string(kFrontMatter) + kRace, "race", "race.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto job = job_of(*spec, {}, {{"N", 1024}});
  ASSERT_TRUE(job) << to_line(job.error());
  const auto run = tabulate(*job, *execute(*job, {.record = 0, .stop_at_uninitialised = false}));
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_EQ((*run)->report.check, CheckState::not_asked);
  EXPECT_EQ(being_checked(**run)->report.check, CheckState::at_work);
  const SharedRun known = judged(*run);
  EXPECT_EQ(known->report.check, CheckState::done);
  EXPECT_TRUE(check::has_error(known->report.findings));
  EXPECT_EQ(known->trace, (*run)->trace);
  EXPECT_EQ(judged(known), known);
  const auto own = run_of(*kernels().find("matmul/01_naive"), {}, {{"M", 32}, {"N", 32}, {"K", 32}});
  EXPECT_EQ(judged(*own), *own);
}

TEST(Judged, ACheckIsCancelled) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto job = job_of(*kernels().find("matmul/01_naive"), {}, {{"M", 256}, {"N", 256}, {"K", 256}});
  const std::atomic<bool> cancel{true};
  const auto run = run_checked(*job, false, &cancel);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, cancelled().message);
}

}  // namespace
}  // namespace warplens::run
