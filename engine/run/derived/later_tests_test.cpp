#include "engine/run/derived/later_tests.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

constexpr const char* kFace =
    "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4096 }\nbuffers = [{ name = \"in\", count = \"N\" }, { "
    "name = \"out\", "
    "count = \"N\", output = true }]\nnone = \"only looked at\"\n[launch]\nblock = [256]\ngrid = [\"N / "
    "256\"]\n---*/\n";

SharedRun run_of_text(const std::string& code) {
  const auto spec = catalog::parse_kernel(kFace + code, "own/own", "own.cu");
  const auto job = spec ? job_of(*spec, {}, {}) : Result<Job>(spec.error());
  const auto execution = job ? execute(*job, {.record = 0}) : Result<Execution>(job.error());
  EXPECT_TRUE(execution) << to_line(execution.error());
  return execution ? *tabulate(*job, *execution) : nullptr;
}
int line_of(const Run& run, std::string_view text) {
  for (std::size_t l = 0; l < run.source_lines.size(); ++l)
    if (run.source_lines[l].find(text) != std::string_view::npos) return static_cast<int>(l) + 1;
  return 0;
}
// The tests that instructions of this line were moved behind.
std::vector<int> tests_of(const Run& run, int line) {
  std::vector<int> found;
  const std::vector<int> tests = later_tests(run);
  for (std::size_t pc = 0; pc < tests.size(); ++pc)
    if (run.kernel_lines[pc] == line && tests[pc] > 0) found.push_back(tests[pc]);
  return found;
}

class LaterTests : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
};

// The number of the warp is of use to one lane only: the compiler takes it there.
TEST_F(LaterTests, FindsWhatTheCompilerMovedBehindATest) {
  const auto run = run_of_text(R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[8];
  const int warp = threadIdx.x / 32;
  float sum = in[blockIdx.x * 256 + threadIdx.x];
  sum += __shfl_down_sync(0xffffffffu, sum, 1);
  if (threadIdx.x % 32 == 0) {
    partial[warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = partial[3];
}
)");
  ASSERT_NE(run, nullptr);
  const std::vector<int> moved = tests_of(*run, line_of(*run, "const int warp"));
  ASSERT_FALSE(moved.empty());
  for (const int line : moved) EXPECT_EQ(line, line_of(*run, "if (threadIdx.x % 32"));
  EXPECT_TRUE(tests_of(*run, line_of(*run, "partial[warp]")).empty()) << "the source has it behind the test";
}

// What a loop counts stands above the test that ends it, and is done behind it.
TEST_F(LaterTests, LeavesLoopsAsTheyAre) {
  const auto run = run_of_text(R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float x = in[i];
#pragma unroll 1
  for (int k = threadIdx.x; k < N; k += 7) {
    if (x > 1.0f) break;
    x = x * 1.5f + 0.25f;
  }
  if (i < N) out[i] = x;
}
)");
  ASSERT_NE(run, nullptr);
  EXPECT_TRUE(tests_of(*run, line_of(*run, "for (int k")).empty());
  EXPECT_TRUE(tests_of(*run, line_of(*run, "x * 1.5f")).empty());
}

}  // namespace
}  // namespace warplens::run
