// Verdicts as values: what a line says and when, without a process of its own.
#include "engine/exercise/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/base/cancel.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/exercise/answers.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::exercise {
namespace {

using ::testing::HasSubstr;

const device::DeviceTable& devices() {
  static const auto table =
      *device::DeviceTable::parse(*read_whole_file(source_path("assets/devices.toml")), "devices.toml");
  return table;
}

Result<Verdict> verdict_of(const Assignment& assignment, const std::string& text) {
  static measured::Recorded recorded(source_path());
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  return judge(assignment, {"mine.cu", text},
               {.catalog = run::kernels(),
                .devices = devices(),
                .recorded = recorded,
                .runner = runner,
                .cancel = kNeverCancelled});
}

std::string marks_of(const Verdict& verdict) {
  std::string marks;
  for (const Line& line : verdict.lines)
    marks += line.mark == Mark::passed ? '+' : line.mark == Mark::failed ? '-' : '.';
  return marks;
}

// A scaled copy whose block is the student's, and whose goal names a kernel of the program.
constexpr const char* kScale = R"toml(
title = "Scale"
task  = "out[i] = 2 in[i]"
free  = ["launch", "parameters"]
sizes = [1000, 1]
parameters = [{ BLOCK = 64 }]
code = '''
/*---
title   = "Scale"
[problem]
sizes   = { N = 1000 }
buffers = [{ name = "in", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check   = "out[i] == 2 * in[i]"
[params]
BLOCK = { default = 128, values = [64, 128] }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
@@@
}
'''
[[goal]]
says  = "as few sectors as the vector addition's load"
holds = "sectors('in', 'ld') / requests('in', 'ld') <= run('first/04_vector_add', size = 1000).sectors(access)"
[[question]]
question = "How many threads has a block?"
type     = "number"
answer   = "threads"
)toml";

TEST(Judge, SaysALineForEachThing) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto assignment = parse(kScale, "scale.toml");
  ASSERT_TRUE(assignment) << to_line(assignment.error());
  const std::string right = filled(assignment->start, {});
  std::string text = assignment->start;
  text.insert(text.rfind('}'), "  if (i < N) out[i] = 2 * in[i];\n// answer 1: 128\n");
  const auto passed = verdict_of(*assignment, text);
  ASSERT_TRUE(passed) << to_line(passed.error());
  EXPECT_EQ(marks_of(*passed), "+++++") << to_text(*passed);
  EXPECT_EQ(passed->points(), 5);
  EXPECT_EQ(passed->lines[1].what, "the result is right at N = 1000, 1; BLOCK = 64");

  // The front matter is the student's where it is free: a block of one warp is no legal parameter's, but a launch.
  std::string other = text;
  other.replace(other.find("[\"BLOCK\"]"), 9, "[\"32\"]");
  const auto wrong = verdict_of(*assignment, other);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(marks_of(*wrong), "+--..") << to_text(*wrong);
  EXPECT_EQ(wrong->lines[1].otherwise, "the result is wrong");  // no sentence that would read as a success

  const auto empty = verdict_of(*assignment, assignment->start);
  ASSERT_TRUE(empty);
  EXPECT_EQ(marks_of(*empty), "+--.-") << to_text(*empty);
  EXPECT_FALSE(empty->is_passed());
}

TEST(Judge, RefusesAnAssignmentThatAsksForASizeThatIsNotThere) {
  auto assignment = *parse(kScale, "scale.toml");
  assignment.sizes.front() = {.some = {{"M", 3}}};
  const auto verdict = verdict_of(assignment, assignment.start);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(to_line(verdict.error()), "scale.toml: the problem has no size M; correct sizes");
}

TEST(Judge, IsCancelled) {
  const auto assignment = *parse(kScale, "scale.toml");
  static measured::Recorded recorded(source_path());
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  const std::atomic<bool> cancel = true;
  const auto verdict = judge(assignment, {"mine.cu", assignment.start},
                             {.catalog = run::kernels(),
                              .devices = devices(),
                              .recorded = recorded,
                              .runner = runner,
                              .cancel = cancel});
  EXPECT_FALSE(verdict);
}

TEST(Answers, AreComments) {
  EXPECT_EQ(answer_in("x\n // answer 2: 10 times \n// answer 1:4\n", 2), "10 times");
  EXPECT_EQ(answer_in("// answer 1:4", 1), "4");
  EXPECT_EQ(answer_in("// answer 12: 4", 1), "");
  EXPECT_EQ(answer_in("answer 1: 4", 1), "");
}

TEST(Verdict, GoesThroughJson) {
  Verdict verdict{
      "a", "A", "f.cu", {{"x", Mark::passed, "", "", 0, 2}, {"y", Mark::failed, "why", "do", 7, 1}}};
  const auto again = from_json(Json::parse(to_json(verdict).dump()));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_text(*again), "passed      x\nfailed      y: line 7: why; do\n2 of 3 points\n");
  const Json results = gradescope_results(verdict);
  EXPECT_EQ(results["score"], 2);
  EXPECT_EQ(results["tests"][1]["output"], "line 7: why; do");
  EXPECT_EQ(results["tests"][1]["max_score"], 1);
  EXPECT_FALSE(from_json(Json::object()));
}

}  // namespace
}  // namespace warplens::exercise
