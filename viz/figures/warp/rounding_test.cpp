// The pictures of rounding and of waiting: from numbers made up here, so that they stay as they are kept.
#include "viz/figures/warp/rounding.hpp"

#include <gmock/gmock.h>

#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/made_steps.hpp"
#include "viz/figures/testing/recorded_run.hpp"

namespace warplens::figures {
namespace {

Subject subject_of(const run::SharedRun& run, Result<Rounding> rounding) {
  return {.run = run, .known = {.rounding = std::make_shared<const Result<Rounding>>(std::move(rounding))}};
}

TEST(RoundingFigure, IsAsKept) {
  const auto run = record_kept("naive", "32");
  const scene::FixedMeasure measure;
  const Subject subject = subject_of(run, Rounding{warp_off_by(8), warp_off_by(32), "2"});
  expect_golden(draw_or_say(*find_figure("rounding"), subject, {1000, 640}, measure), "rounding");
  Subject stage = subject;
  stage.look = Look::stage;
  expect_golden(draw_or_say(*find_figure("rounding"), stage, {760, 460}, measure), "rounding_class");
}

TEST(RoundingFigure, SaysHowFarTheSumIsOff) {
  const explain::Explanation less = rounding_words({warp_off_by(8), warp_off_by(32), "2"});
  EXPECT_EQ(less.what, "the sum is 8 units of its last place too small");
  EXPECT_EQ(less.why, "step 2 is up to 32 units off in this warp, 4 times as much");
  EXPECT_EQ(less.verdict, explain::Verdict::costly);
  const explain::Explanation exact = rounding_words({warp_off_by(0), warp_off_by(32), "2"});
  EXPECT_EQ(exact.why, "step 2 is up to 32 units off in this warp");
  const explain::Explanation right = rounding_words({warp_off_by(0.5), std::nullopt, ""});
  EXPECT_EQ(right.what, "the true sum rounded once");
  EXPECT_EQ(right.verdict, explain::Verdict::good);
  trace::WarpRounding lost;
  lost.threads[0] = {.stored = true, .result = 1, .exact = 1};
  lost.threads[1] = {.stored = true, .result = 0, .exact = 1};
  const explain::Explanation gone = rounding_words({lost, std::nullopt, ""});
  EXPECT_EQ(gone.what, "the sum is lost: its error is as large as the sum itself");
  EXPECT_EQ(gone.why, "1 of the warp’s 32 threads gets the true sum");
  lost.threads[1].result = std::numeric_limits<double>::infinity();
  const explain::Explanation beyond = rounding_words({lost, std::nullopt, ""});
  EXPECT_EQ(beyond.what, "the sum is beyond the largest number of its type");
  EXPECT_EQ(beyond.why, "");
}

TEST(RoundingFigure, SaysWhyThereIsNone) {
  const auto run = record_kept("naive", "32");
  const Subject subject = subject_of(run, Error{"no thread of this warp stores a sum of floats", "choose"});
  const auto scene = draw(*find_figure("rounding"), subject, {800, 600}, scene::FixedMeasure{});
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().message, "no thread of this warp stores a sum of floats");
  EXPECT_FALSE(draw(*find_figure("rounding"), {.run = run}, {800, 600}, scene::FixedMeasure{}));
}

TEST(WaitsFigure, IsAsKept) {
  const auto run = record_kept("naive", "32");
  const scene::FixedMeasure measure;
  Subject subject{.run = run, .known = {.times = times_of(*run)}};
  expect_golden(draw_or_say(*find_figure("waits"), subject, {1000, 600}, measure), "waits");
  subject.look = Look::stage;
  expect_golden(draw_or_say(*find_figure("waits"), subject, {760, 420}, measure), "waits_class");
}

// 4,000 cycles of 10 SMs for 100 turns of a warp each: 400 cycles of an SM, and of a warp 4 times as many.
TEST(WaitsFigure, SaysHowLongAWarpWaitsForATurn) {
  const auto run = record_kept("naive", "32");
  const auto times = times_of(*run);
  EXPECT_EQ(times->steps[0].sm_cycles(), 400);
  EXPECT_EQ(times->steps[0].warp_cycles(), 1600);
  const TimeSaid said = waits_words(*run, *times);
  EXPECT_EQ(said.explanation.what, "a warp waits 1440 of 1600 cycles a load for global memory");
  EXPECT_EQ(said.explanation.why, "a load of a warp takes 400 cycles of an SM where step 6 takes 100");
  EXPECT_EQ(said.explanation.verdict, explain::Verdict::costly);
  const auto csv = waits_table({.run = run, .known = {.times = times}});
  ASSERT_TRUE(csv);
  EXPECT_THAT(*csv, testing::HasSubstr("\n5,4e-06,3200,400,1600,"));
}

// What was recorded is said, and is not explained by a model that predicts the other way round.
TEST(WaitsFigure, SaysWhatWasRecorded) {
  const auto run = record_kept("naive", "32");
  LadderTimes times = *times_of(*run);
  for (StepTime& step : times.steps) step.turns.reset();
  StepTime &own = times.steps[0], &other = times.steps[1];
  own.predicted.seconds = 9.28e-6, other.predicted.seconds = 8.54e-6;
  EXPECT_EQ(waits_words(*run, times).explanation.what, "this step takes 9.28 µs where step 6 takes 8.54 µs");
  own.recorded = 7.77e-6, other.recorded = 9.11e-6;
  const explain::Explanation faster = waits_words(*run, times).explanation;
  EXPECT_EQ(faster.what, "this step took 7.77 µs where step 6 took 9.11 µs, recorded");
  EXPECT_EQ(faster.why, "the model differs, and cannot say why: it predicts 9.28 µs and 8.54 µs");
  EXPECT_EQ(faster.verdict, explain::Verdict::good);
  own.recorded = 9.95e-6;
  const explain::Explanation slower = waits_words(*run, times).explanation;
  EXPECT_EQ(slower.what, "this step took 9.95 µs where step 6 took 9.11 µs, recorded");
  EXPECT_EQ(slower.why.find("differs"), std::string::npos) << slower.why;
  EXPECT_EQ(slower.verdict, explain::Verdict::costly);
}

}  // namespace
}  // namespace warplens::figures
