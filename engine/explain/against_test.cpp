#include "engine/explain/against.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

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
  run::Request request(const std::string& kernel, std::int64_t size, const device::Device& device) {
    const auto spec = *run::kernels().find(kernel);
    catalog::Values sizes;
    if (size > 0)
      for (const auto& name : (*problem::find_problem(spec))->size_names()) sizes[name] = size;
    return {.spec = spec, .parameters = {}, .sizes = sizes, .device = device, .nearest = true};
  }
  // Both as the model has them. size: of all dimensions; 0: the problem's own.
  Against predicted(const std::string& step, const std::string& other, std::int64_t size = 0,
                    const device::Device& device = run::h100()) {
    const auto said =
        against(sides_, request(step, size, device), request(other, size, device), {}, "the other", go_on_);
    EXPECT_TRUE(said) << to_line(said.error());
    return said ? *said : Against{};
  }

  run::Runner runner_{compile::Compiler({.library = {}, .cache_folder = test_cache_path()})};
  Sides sides_{runner_};
  const std::atomic<bool> go_on_ = false;
};

bool names(const Against& said, time::Asked asked) {
  return std::ranges::find(said.causes, std::optional(asked), &time::Cause::asked) != said.causes.end();
}

// What both count, where there is no time to take apart.
TEST_F(AgainstTest, SaysWhatBothCountWhereNoTimeIsKnown) {
  const Against rows = against(counted("matmul/02_coalesced"), counted("matmul/01_naive"));
  EXPECT_EQ(rows.verdict, Verdict::good);
  EXPECT_EQ(rows.words, "6.6 times fewer sectors of global memory");
  EXPECT_TRUE(rows.causes.empty());
  const auto naive = counted("matmul/01_naive"), coalesced = counted("matmul/02_coalesced");
  const Against worse = against(naive, coalesced);
  EXPECT_EQ(worse.verdict, Verdict::costly);
  EXPECT_EQ(worse.words, "6.6 times more sectors of global memory");
  EXPECT_EQ(against(naive, naive).verdict, Verdict::neutral);
  EXPECT_NE(against(naive, naive).words.find("when they come"), std::string::npos);
  // Of a speed that was measured the counts are no cause.
  EXPECT_EQ(against(coalesced, naive, 9).words, "");
}

TEST_F(AgainstTest, ACauseIsWhatChangesTheTime) {
  const Against rows = predicted("matmul/02_coalesced", "matmul/01_naive");
  EXPECT_EQ(rows.words, "6.6 times fewer sectors of global memory and 17 times less work for L1");
  EXPECT_EQ(rows.verdict, Verdict::good);
  EXPECT_FALSE(rows.is_measured);
  EXPECT_GT(*rows.times, 5);
  const Against back = predicted("matmul/01_naive", "matmul/02_coalesced");
  EXPECT_EQ(back.words, "6.6 times more sectors of global memory and 17 times more work for L1");
  EXPECT_EQ(back.verdict, Verdict::costly);
  const Against banks = predicted("filipovic/06_b_padded", "filipovic/05_b_turned");
  EXPECT_NE(banks.words.find("fewer wavefronts of shared memory"), std::string::npos) << banks.words;
  EXPECT_GE(banks.causes.at(0).share, 0.9);
}

// They count half of the wavefronts, too: but each block ends with an atomic, and there are half as many
// blocks.
TEST_F(AgainstTest, AtomicsAtOneAddressAreTheCauseAndNotWavefronts) {
  for (const auto& [step, other, words] : {std::tuple{"reduction/04_first_add", "reduction/03_sequential",
                                                      "2.0 times fewer atomics at one address"},
                                           std::tuple{"reduction/06_shuffle", "reduction/05_last_warp",
                                                      "4.0 times fewer atomics at one address"},
                                           std::tuple{"harris/04_first_add", "harris/03_sequential",
                                                      "2.0 times fewer atomics at one address"}}) {
    const Against said = predicted(step, other);
    EXPECT_EQ(said.words, words) << step;
    EXPECT_TRUE(names(said, time::Asked::atomics)) << step;
    EXPECT_FALSE(names(said, time::Asked::wavefronts)) << step;
  }
}

// For a sixteenth of the work as many sectors are no reason that it takes longer.
TEST_F(AgainstTest, AnotherAmountOfWorkIsNoCause) {
  const Against said = predicted("latency/03_spilled", "latency/02_several_chains");
  EXPECT_FALSE(names(said, time::Asked::traffic)) << said.words;
  EXPECT_EQ(said.words.find("sectors"), std::string::npos) << said.words;
}

// Two copies of a tile: what changed is when the loads come, and half as many barriers are the means.
TEST_F(AgainstTest, BarriersAreNotTheCauseWhereLoadsAreWaitedForLess) {
  const Against said = predicted("matmul/08_double_buffer", "matmul/07_conflict_free");
  EXPECT_TRUE(said.words.starts_with("by the model of time, its warps wait less for global memory"))
      << said.words;
  EXPECT_FALSE(names(said, time::Asked::barriers)) << said.words;
}

TEST_F(AgainstTest, ATooSmallGridIsTheCauseOfASlowerStep) {
  const Against said = predicted("matmul/05_register_2d", "matmul/04_register_1d", 512);
  EXPECT_TRUE(names(said, time::Asked::idle_sms)) << said.words;
  EXPECT_EQ(said.verdict, Verdict::costly);
}

// Memory of 2008 has partitions: where all blocks at work ask one of them, no sector is saved.
TEST_F(AgainstTest, PartitionsAreACauseOfTheirOwn) {
  const Against said =
      predicted("transpose/05_diagonal", "transpose/02_tiled", 4096, run::device_named("gtx280"));
  EXPECT_TRUE(names(said, time::Asked::partitions)) << said.words;
  EXPECT_FALSE(names(said, time::Asked::traffic)) << said.words;
}

// What the model does not find it does not explain.
TEST_F(AgainstTest, APredictionThatDiffersExplainsNothing) {
  const auto one = sides_.with_time(request("matmul/02_coalesced", 0, run::h100()), go_on_),
             two = sides_.with_time(request("matmul/01_naive", 0, run::h100()), go_on_);
  ASSERT_TRUE(one && two);
  const Against slower = against(*one, *two, 0.8), much = against(*one, *two, 1e9);
  for (const Against& said : {slower, much}) {
    EXPECT_TRUE(said.causes.empty());
    EXPECT_TRUE(said.words.starts_with("the model of time expects ")) << said.words;
  }
  EXPECT_EQ(slower.speed, "slower, 0.80 times as fast");
  EXPECT_EQ(against(*one, *two, 9.5).words,
            "6.6 times fewer sectors of global memory and 17 times less work for L1");
}

// Nothing can be counted or predicted any more where it is cancelled: what is answered then was kept.
TEST_F(AgainstTest, ASideIsKept) {
  const std::atomic<bool> cancelled = true;
  const run::Request wanted = request("matmul/03_shared_tile", 128, run::h100());
  const auto counted = sides_.of(wanted, false, go_on_);
  ASSERT_TRUE(counted) << to_line(counted.error());
  EXPECT_EQ(counted->predicted(), nullptr);
  EXPECT_FALSE(sides_.of(wanted, true, cancelled));
  const auto predicted = sides_.of(wanted, true, go_on_);
  ASSERT_TRUE(predicted) << to_line(predicted.error());
  const auto again = sides_.of(wanted, true, cancelled);
  ASSERT_TRUE(again) << to_line(again.error());
  EXPECT_EQ(again->modelled, predicted->modelled);
}

TEST_F(AgainstTest, IsCancelledWithBothSidesKnown) {
  const run::Request naive = request("matmul/01_naive", 128, run::h100()),
                     tile = request("matmul/03_shared_tile", 128, run::h100());
  ASSERT_TRUE(against(sides_, tile, naive, 4.0, "step 1", go_on_));
  const std::atomic<bool> cancelled = true;
  EXPECT_FALSE(against(sides_, tile, naive, 4.0, "step 1", cancelled));
}

TEST_F(AgainstTest, SaysNothingOfAKernelThatADeviceDoesNotRun) {
  auto before = counted("matmul/01_naive");
  const auto step = before;
  before.count.missing = "shuffles need 3.0";
  EXPECT_TRUE(against(step, before).words.empty());
}

// Bytes with padding are no work: kernels of different problems are not compared.
TEST_F(AgainstTest, SaysNothingOfAnotherProblem) {
  const Side padded = counted("layout/02_align_16", 1024), packed = counted("layout/01_three_floats", 1024);
  EXPECT_FALSE(is_same_problem(padded.count, packed.count));
  EXPECT_EQ(against(padded, packed), Against{});
  EXPECT_EQ(against(padded, packed, 1.35), Against{});
  EXPECT_TRUE(is_same_problem(padded.count, padded.count));
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
