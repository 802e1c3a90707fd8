#include "engine/explain/against.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::explain {
namespace {

Side counted(const std::string& kernel, std::int64_t n = 128) {
  const auto spec = *run::kernels().find(kernel);
  const auto names = (*problem::find_problem(spec))->size_names();
  catalog::Values sizes;
  for (const auto& name : names) sizes[name] = n;
  const auto run = run::run_of(spec, {}, sizes);
  EXPECT_TRUE(run) << to_line(run.error());
  return {run::step_count(**run)};
}

class AgainstTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

// What a step is for comes out of its counts.
TEST_F(AgainstTest, SaysWhatAStepSaves) {
  const Against rows = against(counted("matmul/02_coalesced"), counted("matmul/01_naive"));
  EXPECT_EQ(rows.verdict, Verdict::good);
  EXPECT_EQ(rows.words, "6.6 times fewer sectors of global memory");
  EXPECT_EQ(against(counted("transpose/02_tiled"), counted("transpose/01_naive")).words,
            "4.5 times fewer sectors of global memory");
  const Against banks =
      against(counted("reduction/03_sequential", 65536), counted("reduction/02_strided", 65536));
  EXPECT_NE(banks.words.find("fewer wavefronts of shared memory"), std::string::npos) << banks.words;
}

// The other way round the same ratio is a cost; a step against itself counts the same.
TEST_F(AgainstTest, SaysWhatItAddsAndWhenNothingDiffers) {
  const auto naive = counted("matmul/01_naive"), coalesced = counted("matmul/02_coalesced");
  const Against worse = against(naive, coalesced);
  EXPECT_EQ(worse.verdict, Verdict::costly);
  EXPECT_EQ(worse.words, "6.6 times more sectors of global memory");
  EXPECT_EQ(against(naive, naive).verdict, Verdict::neutral);
  EXPECT_NE(against(naive, naive).words.find("when they come"), std::string::npos);
}

// Nothing can be counted or predicted any more where it is cancelled: what is answered then was kept.
TEST_F(AgainstTest, ASideIsKept) {
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  Sides sides(runner);
  const std::atomic<bool> go_on = false, cancelled = true;
  const run::Request wanted{.spec = *run::kernels().find("matmul/03_shared_tile"),
                            .parameters = {},
                            .sizes = {{"M", 128}, {"N", 128}, {"K", 128}},
                            .device = run::h100()};
  const auto counted = sides.of(wanted, false, go_on);
  ASSERT_TRUE(counted) << to_line(counted.error());
  EXPECT_FALSE(counted->predicted);
  EXPECT_FALSE(sides.of(wanted, true, cancelled));
  const auto predicted = sides.of(wanted, true, go_on);
  ASSERT_TRUE(predicted) << to_line(predicted.error());
  const auto again = sides.of(wanted, true, cancelled);
  ASSERT_TRUE(again) << to_line(again.error());
  ASSERT_TRUE(again->predicted && predicted->predicted);
  EXPECT_EQ(again->predicted->cycles, predicted->predicted->cycles);
}

// Conflicts in shared memory that the step before does not use at all.
TEST_F(AgainstTest, SaysConflictsThatAreNew) {
  const Against words =
      against(counted("memory/09_bank_conflicts", 65536), counted("memory/01_coalesced", 65536));
  EXPECT_EQ(words.verdict, Verdict::costly);
  EXPECT_NE(words.words.find("wavefronts of shared memory for each access"), std::string::npos)
      << words.words;
}

// A slower step is never all good: what it costs is said first, whatever it saves.
TEST_F(AgainstTest, SpeedDecidesWhatIsSaidFirst) {
  auto before = counted("matmul/01_naive");
  auto step = before;
  step.count.bytes /= 2, step.count.instructions *= 1.5;
  const Against quicker = against(step, before, 1.4), slower = against(step, before, 0.9),
                same = against(step, before, 1.01);
  EXPECT_EQ(quicker.verdict, Verdict::good);
  EXPECT_EQ(quicker.speed, "1.40 times as fast");
  EXPECT_EQ(quicker.words, "2.0 times fewer sectors of global memory, but 1.50 times more PTX instructions");
  EXPECT_EQ(slower.verdict, Verdict::costly);
  EXPECT_EQ(slower.speed, "0.90 times as fast: slower");
  EXPECT_EQ(slower.words,
            "1.50 times more PTX instructions, although 2.0 times fewer sectors of global memory");
  EXPECT_EQ(same.verdict, Verdict::neutral);
  EXPECT_EQ(same.speed, "as fast");
}

// Counts that are equal do not say why; the model of time does.
TEST_F(AgainstTest, AsksTheModelWhyAStepIsNoQuicker) {
  auto before = counted("reduction/02_strided", 65536), step = before;
  time::Prediction held;
  held.same_address = 0.99, held.meetings = 4096, held.warp_instructions = 100;
  before.predicted = step.predicted = held;
  step.count.wavefronts /= 3;
  EXPECT_EQ(
      against(step, before, 1.0, "step 2").words,
      "3.0 times fewer wavefronts of shared memory, but both wait for 4,096 atomics at one address, which "
      "go one after another, by the model of time");
  EXPECT_EQ(against(step, before, 1.0, "step 2").brief, "both wait for 4,096 atomics");
  step.predicted->warp_instructions = 136, step.predicted->same_address = 0.5;
  EXPECT_EQ(against(step, before, 0.9, "step 2").brief, "36 % more instructions");
  EXPECT_EQ(against(step, before, 0.9, "step 2").words,
            "by the model of time, it executes 36 % more instructions than step 2, although 3.0 times fewer "
            "wavefronts of shared memory");
  // Traffic that was counted is a better reason.
  step.count.bytes *= 2;
  EXPECT_EQ(against(step, before, 0.9, "step 2").words,
            "2.0 times more sectors of global memory, although 3.0 times fewer wavefronts of shared memory");
  EXPECT_EQ(against(step, before, 0.9, "step 2").brief, "") << "nothing of the model's is said then";
}

TEST_F(AgainstTest, SaysNothingOfAKernelThatADeviceDoesNotRun) {
  auto before = counted("matmul/01_naive");
  const auto step = before;
  before.count.missing = "shuffles need 3.0";
  EXPECT_TRUE(against(step, before).words.empty());
}

// Counts of a part of the grid stand for the same work.
TEST_F(AgainstTest, ComparesForTheSameWork) {
  auto half = counted("matmul/02_coalesced");
  const auto whole = half;
  for (double run::StepCount::*amount :
       {&run::StepCount::work, &run::StepCount::bytes, &run::StepCount::requests,
        &run::StepCount::instructions, &run::StepCount::share, &run::StepCount::operations})
    half.count.*amount /= 2;
  EXPECT_EQ(against(half, whole).verdict, Verdict::neutral);
}

// Floats that nobody uses are no work: at one size the sectors themselves are compared.
TEST_F(AgainstTest, PaddingIsNoWork) {
  const auto layout = [](const std::string& kernel) {
    const auto run = run::run_of(*run::kernels().find(kernel), {}, {{"ROWS", 61}, {"COLUMNS", 1001}});
    EXPECT_TRUE(run) << to_line(run.error());
    return Side{run::step_count(**run)};
  };
  const Side ends = layout("layout/05_rows_end_to_end"), pitched = layout("layout/06_pitched_rows");
  EXPECT_GT(pitched.count.least_bytes, ends.count.least_bytes);
  const double ratio = ends.count.bytes / pitched.count.bytes;
  EXPECT_EQ(against(pitched, ends).words, fmt::format("{:.2f} times fewer sectors of global memory", ratio));
  // At another size there is no other way than by the work.
  Side larger = pitched;
  larger.count.sizes["ROWS"] = 122;
  EXPECT_NE(against(larger, ends).words, against(pitched, ends).words);
}

// Where a parameter sets how much there is to compute, instructions are compared for as many operations.
TEST_F(AgainstTest, MoreOperationsAreMoreWork) {
  const auto chain = [](std::int64_t steps) {
    const auto run =
        run::run_of(*run::kernels().find("latency/01_one_chain"), {{"STEPS", steps}}, {{"N", 270336}});
    EXPECT_TRUE(run) << to_line(run.error());
    return run::step_count(**run);
  };
  const auto few = chain(64), many = chain(256);
  EXPECT_DOUBLE_EQ(run::times_the_work(many, few), 4);
  EXPECT_GT(many.instructions, 3 * few.instructions);
}

}  // namespace
}  // namespace warplens::explain
