// A kernel that is wrong is praised nowhere.
#include "engine/explain/doubt.hpp"

#include <gtest/gtest.h>

#include "engine/explain/against.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::explain {
namespace {

run::SharedRun checked(const std::string& body) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"A copy\"\nproblem = \"copy\"\n[launch]\nblock = [64]\ngrid = [\"ceil_div(N, "
      "64)\"]\n---*/\nextern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
      "  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n" +
          body + "}\n",
      "case", "case.cu");
  const auto job = run::job_of(*spec, {}, {{"N", 64000}});
  if (!job) return nullptr;
  const auto recorded = run::tabulate(*job, *run::execute(*job, {.record = 0}));
  return run::with_findings(**recorded, (*run::run_checked(*job))->report);
}

const char* const kRight = "  if (i < N) out[i] = in[i];\n";

TEST(Doubt, IsOfWhatIsWrong) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  EXPECT_EQ(doubt(*checked(kRight)), "");
  EXPECT_EQ(doubt(*checked("  if (i < N) out[i] = 2 * in[i];\n")), "its result is wrong");
  EXPECT_EQ(doubt(*checked("  if (i < N / 2) out[i] = in[i];\n")), "its result is wrong");
  EXPECT_EQ(doubt(*checked("  out[i + 999999] = in[i];\n")), "it stopped before its end");
  EXPECT_EQ(doubt(*checked("  __shared__ float s[64];\n  s[t] = i < N ? in[i] : 0;\n  float v = s[t ^ 1];\n"
                           "  if (i < N) out[i] = v > 99 ? v : in[i];\n")),
            "it has a race");
  EXPECT_EQ(doubt(*checked("  if (i < N) out[i] = in[i];\n  if (i == 0) const_cast<float*>(in)[i] = 0;\n")),
            "an error was found in it");
}

TEST(Doubt, NamesWhatWasFoundFirst) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  EXPECT_EQ(doubt_words(*checked(kRight)), "");
  const std::string race =
      doubt_words(*checked("  __shared__ float s[64];\n  s[t] = i < N ? in[i] : 0;\n  float v = s[t ^ 1];\n"
                           "  if (i < N) out[i] = v;\n"));
  EXPECT_EQ(race.substr(0, 24), "it has a race: line 12: ") << race;
}

TEST(Doubt, LeavesNoPraise) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Explanation good{RuleId::coalesced, Verdict::good, "4 sectors", "neighbours", "nothing to fix"};
  const auto right = checked(kRight), wrong = checked("  if (i < N / 2) out[i] = in[i];\n");
  EXPECT_EQ(without_praise(good, *right).fix, "nothing to fix");
  EXPECT_EQ(explain(*right).verdict, Verdict::good);
  EXPECT_EQ(without_praise(good, *wrong).verdict, Verdict::neutral);
  EXPECT_EQ(without_praise(good, *wrong).what, "4 sectors");
  EXPECT_EQ(without_praise(good, *wrong).fix, "first make it right: its result is wrong");
  EXPECT_NE(explain(*wrong).verdict, Verdict::good);
  const Explanation costly{RuleId::coalesced, Verdict::costly, "32 sectors", "a stride", "exchange x and y"};
  EXPECT_EQ(without_praise(costly, *wrong).fix, "exchange x and y");
  EXPECT_EQ(no_comparison(*wrong).words, "no comparison: its result is wrong");
  EXPECT_EQ(no_comparison(*wrong).verdict, Verdict::neutral);
}

// Nobody knows of a run that is being checked whether it is right.
TEST(Doubt, WaitsForTheCheckers) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Explanation good{RuleId::coalesced, Verdict::good, "4 sectors", "neighbours", "nothing to fix"};
  const auto right = checked(kRight), waits = run::being_checked(*right);
  EXPECT_EQ(reserve(*right), "");
  EXPECT_EQ(notice(*right), std::nullopt);
  EXPECT_EQ(doubt(*waits), "");
  EXPECT_EQ(reserve(*waits), "it is being checked");
  EXPECT_TRUE(is_being_checked(*waits));
  EXPECT_EQ(without_praise(good, *waits).verdict, Verdict::neutral);
  EXPECT_EQ(without_praise(good, *waits).fix, "checking for races and other mistakes ...");
  EXPECT_EQ(no_comparison(*waits).words, "no comparison: it is being checked");
  EXPECT_EQ(notice(*waits), std::nullopt);
  const auto failed = run::unchecked(*right, Error{"no memory", ""});
  EXPECT_EQ(reserve(*failed), "it was not checked");
  EXPECT_EQ(notice(*failed)->words, "no memory");
}

TEST(Doubt, IsANoticeWithItsLine) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto race =
      notice(*checked("  __shared__ float s[64];\n  s[t] = i < N ? in[i] : 0;\n  float v = s[t ^ 1];\n  if "
                      "(i < N) out[i] = v;\n"));
  ASSERT_TRUE(race);
  EXPECT_EQ(race->severity, check::Severity::error);
  EXPECT_EQ(race->what, "it has a race");
  EXPECT_EQ(race->line, 12);
  EXPECT_FALSE(race->words.empty());
  EXPECT_FALSE(race->fix.empty());
  const auto wrong = notice(*checked("  if (i < N / 2) out[i] = in[i];\n"));
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->what, "its result is wrong");
  EXPECT_GT(wrong->line, 0);
}

// "Nothing to fix" beside a warning would be read as its answer.
TEST(Doubt, LeavesNoPraiseBesideAWarning) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Explanation good{RuleId::coalesced, Verdict::good, "4 sectors", "neighbours", "nothing to fix"};
  const auto right = checked(kRight);
  run::Report report = right->report;
  check::Finding finding;
  finding.kind = check::Kind::wrong_at_odd_size, finding.severity = check::Severity::warning;
  finding.line = 10, finding.message = "wrong at N = 35";
  report.findings.push_back(finding);
  const auto warned = run::with_findings(*right, report);
  EXPECT_EQ(reserve(*warned), "");
  EXPECT_EQ(without_praise(good, *warned).verdict, Verdict::neutral);
  EXPECT_EQ(without_praise(good, *warned).fix, "first look at the warning in line 10");
  EXPECT_EQ(notice(*warned)->severity, check::Severity::warning);
  EXPECT_EQ(notice(*warned)->line, 10);
}

}  // namespace
}  // namespace warplens::explain
