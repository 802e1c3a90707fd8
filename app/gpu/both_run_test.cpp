// What `run --engine both` says of a kernel that is wrong, where no GPU is there to run it.
#include "app/gpu/both_run.hpp"

#include <gmock/gmock.h>

#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::app {
namespace {

using testing::HasSubstr;

Result<run::Job> broken(const std::string& name) {
  const auto spec = run::kernels().find(run::kRoot + "/engine/check/testdata/newer/" + name + ".cu");
  return spec ? run::job_of(*spec, {}, {}) : spec.error();
}

std::vector<std::string> lines_of(const run::Report& report) {
  std::vector<std::string> lines;
  for (const check::Finding& finding : report.findings)
    lines.push_back(std::string(check::name(finding.kind)) + " " + std::to_string(finding.line) + " " +
                    finding.message);
  return lines;
}

class BothRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

TEST_F(BothRuns, HaveTheFindingsOfTheCheckedRun) {
  const auto job = broken("cluster_read_before_sync");
  ASSERT_TRUE(job) << to_line(job.error());
  const auto checked = run::run_checked(*job);
  ASSERT_TRUE(checked) << to_line(checked.error());
  ASSERT_FALSE((*checked)->report.findings.empty());
  const auto both = run_on_both(nullptr, *job, {.gpu = {}, .check = true}, run::kRoot);
  ASSERT_TRUE(both) << to_line(both.error());
  EXPECT_EQ(lines_of(both->emulated), lines_of((*checked)->report));
  EXPECT_TRUE(both->emulated.is_wrong());
  EXPECT_EQ(both->emulated.explanation, (*checked)->report.explanation);
  EXPECT_EQ(both->emulated.checked_blocks, (*checked)->report.checked_blocks);
}

// The result happens to be right, so that without the checkers nothing is wrong with it.
TEST_F(BothRuns, LeaveTheChecksOutWhereTheyAreNotWanted) {
  const auto job = broken("cluster_read_before_sync");
  ASSERT_TRUE(job) << to_line(job.error());
  const auto both = run_on_both(nullptr, *job, {.gpu = {}, .check = false}, run::kRoot);
  ASSERT_TRUE(both) << to_line(both.error());
  EXPECT_TRUE(both->emulated.findings.empty());
  EXPECT_FALSE(both->emulated.checked_blocks);
  EXPECT_TRUE(both->emulated.verified);
}

// Beside the report of a GPU, which has none of its own, they are not lost.
TEST_F(BothRuns, ShowTheFindingsBesideTheGpusReport) {
  const auto job = broken("cluster_read_before_sync");
  ASSERT_TRUE(job) << to_line(job.error());
  auto both = run_on_both(nullptr, *job, {.gpu = {}, .check = true}, run::kRoot);
  ASSERT_TRUE(both) << to_line(both.error());
  const std::string alone = to_text(*both);
  both->measured = both->emulated;
  both->measured->findings.clear();
  both->measured->verified = true;
  const std::string beside = to_text(*both);
  for (const std::string& text : {alone, beside}) {
    EXPECT_THAT(text, HasSubstr("emulator       nothing orders two threads at the same element"));
    const std::size_t first = text.find("error: race-shared, line 24");
    ASSERT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.find("error: race-shared, line 24", first + 1), std::string::npos) << text;
  }
}

// So that it can be compared with a GPU's bit for bit.
TEST_F(BothRuns, KeepTheOutputOfACheckedRun) {
  const auto job = broken("cluster_read_before_sync");
  ASSERT_TRUE(job) << to_line(job.error());
  const auto kept = run::run_checked(*job, true);
  const auto plain = run::run_on_emulator(*job, true);
  ASSERT_TRUE(kept && plain);
  EXPECT_FALSE((*kept)->emulation.output.empty());
  EXPECT_EQ((*kept)->emulation.output, (*plain)->emulation.output);
}

}  // namespace
}  // namespace warplens::app
